"""Two processes of one server behind each balancer of `packaging/balancing`: `balancer.c` restarts and kills them under load. A few thousand
calls; in a deep run as many as the project promises. The files for Kubernetes are held against its schemas."""

import json
import re
from pathlib import Path

import pytest
import support

FOLDER = support.ROOT / "packaging/balancing"
# The ports in the configurations: of the balancer and of the two processes.
PORTS = [8080, 9001, 9002]


def envoy():
    """The binary that the package of Python's index brings."""
    return Path(support.peer("python-balancer")).parent / "envoy"


# The configuration, and where its program is.
BALANCERS = {
    "haproxy": ("haproxy.cfg", lambda: support.peer("haproxy")),
    "nginx": ("nginx.conf", lambda: support.peer("nginx")),
    "envoy": ("envoy.yaml", envoy),
}


def configured(kind, file, ports):
    """The configuration as it is but for the ports, and for where files of the run are."""
    folder = support.emptied(f"balancer-{kind}")
    text = (FOLDER / file).read_text()
    # All at once: a port that was put in may be one that is to be replaced.
    places = {str(there): str(here) for there, here in zip(PORTS, ports)}
    text, made = re.subn(rf"\b({'|'.join(places)})\b", lambda found: places[found[0]], text)
    assert made >= len(PORTS) and not [there for there in places if there not in (FOLDER / file).read_text()], f"{file} lacks a port"
    (folder / file).write_text(text)
    return folder / file


@pytest.mark.parametrize("kind", BALANCERS)
def test_two_processes_behind_a_balancer_are_restarted_and_killed_under_load(kind, deep):
    program = support.compiled("tests/balancer/balancer.c", "balancer")
    calls, limit = (1_000_000, 3600) if deep else (2_000, 300)
    file, where = BALANCERS[kind]
    ports = [support.free_port() for _ in PORTS]
    print(support.run([program, kind, where(), configured(kind, file, ports), calls, *ports], limit).well().stdout)


# Run by the interpreter that has the schemas: each document of a file against that of some versions of Kubernetes. It prints the kinds.
KUBERNETES = """
import json, sys, yaml, kubernetes_validate
documents = list(yaml.safe_load_all(open(sys.argv[1])))
for document in documents:
    for version in sys.argv[2:]:
        kubernetes_validate.validate(document, version, strict=True)
print(json.dumps(documents))
"""


def test_the_files_for_kubernetes_fit_its_schemas_and_one_another():
    # 1.30 is the first that can sleep before a pod ends.
    words = [support.peer("python-balancer"), "-c", KUBERNETES, FOLDER / "kubernetes.yaml", "1.30", "1.37"]
    parts = {document["kind"]: document for document in json.loads(support.run(words).well().stdout)}
    assert set(parts) == {"Secret", "Deployment", "Service", "PodDisruptionBudget"}
    template = parts["Deployment"]["spec"]["template"]
    labels, (container,) = template["metadata"]["labels"], template["spec"]["containers"]
    for kind, selector in [("Deployment", "matchLabels"), ("PodDisruptionBudget", "matchLabels"), ("Service", None)]:
        chosen = parts[kind]["spec"]["selector"]
        assert (chosen[selector] if selector else chosen) == labels, kind
    ports = {port["name"] for port in container["ports"]}
    probes = [probe for name, probe in container.items() if name.endswith("Probe")]
    named = [action["port"] for probe in probes for key, action in probe.items() if key in {"httpGet", "tcpSocket"}]
    assert len(named) == len(probes) == 3
    assert set(named) | {port["targetPort"] for port in parts["Service"]["spec"]["ports"]} == ports
    keys = {of["valueFrom"]["secretKeyRef"]["key"] for of in container["env"]}
    assert keys == set(parts["Secret"]["stringData"])
    # What it has after it was told to end: to be forgotten, to say so, to finish.
    spent = container["lifecycle"]["preStop"]["sleep"]["seconds"] + 1 + 300
    assert spent < template["spec"]["terminationGracePeriodSeconds"]
