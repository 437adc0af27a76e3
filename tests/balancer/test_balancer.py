"""Two processes of one server behind `haproxy`, with the configuration of `packaging/balancing`: `balancer.c` restarts and kills them under
load. A few thousand calls; in a deep run as many as the project promises."""

import support


def test_two_processes_behind_haproxy_are_restarted_and_killed_under_load(deep):
    program = support.compiled("tests/balancer/balancer.c", "balancer")
    calls, limit = (1_000_000, 3600) if deep else (2_000, 180)
    configuration = support.ROOT / "packaging/balancing/haproxy.cfg"
    print(support.run([program, support.peer("haproxy"), configuration, calls], limit).well().stdout)
