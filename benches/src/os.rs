//! What the runner asks the operating system about another process: its processor time and its memory, seen
//! from outside. On systems without `/proc` the values are missing and the report leaves them out.

use std::fs;

/// Processor time (user and system, all threads, no children) of a process, in nanoseconds.
#[cfg(target_os = "linux")]
pub fn cpu_ns(pid: u32) -> Option<u64> {
    let mut clock = 0;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: both calls only write through the pointers to the two locals.
    let failed = unsafe {
        libc::clock_getcpuclockid(pid.cast_signed(), &raw mut clock) != 0
            || libc::clock_gettime(clock, &raw mut time) != 0
    };
    let part = |value: i64| u64::try_from(value).unwrap_or(0);
    (!failed).then(|| part(time.tv_sec) * 1_000_000_000 + part(time.tv_nsec))
}

#[cfg(not(target_os = "linux"))]
pub fn cpu_ns(_pid: u32) -> Option<u64> {
    None
}

/// Binds this thread, and with it the processes it starts from now on, to these processors.
#[cfg(target_os = "linux")]
pub fn bind(processors: &[usize]) -> bool {
    // SAFETY: a cpu_set_t is a plain bit array, for which zero is a valid value, and the call only reads it.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        for processor in processors {
            libc::CPU_SET(*processor, &mut set);
        }
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const set) == 0
    }
}

#[cfg(not(target_os = "linux"))]
pub fn bind(_processors: &[usize]) -> bool {
    false
}

/// The processors this thread may use.
pub fn processors() -> Vec<usize> {
    let status = fs::read_to_string("/proc/thread-self/status").unwrap_or_default();
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap_or_default();
    let mut processors = Vec::new();
    for range in list.trim().split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        if let (Ok(first), Ok(last)) = (first.parse::<usize>(), last.parse::<usize>()) {
            processors.extend(first..=last);
        }
    }
    processors
}

/// How many segments with data a connection has received.
#[cfg(target_os = "linux")]
pub fn data_segments_in(connection: &std::net::TcpStream) -> Option<u64> {
    use std::os::fd::AsRawFd;
    // SAFETY: a tcp_info is plain numbers, for which zero is a valid value; the call writes at most `length` bytes of it.
    unsafe {
        let mut info: libc::tcp_info = std::mem::zeroed();
        let mut length = libc::socklen_t::try_from(size_of::<libc::tcp_info>()).ok()?;
        let asked = libc::getsockopt(
            connection.as_raw_fd(),
            libc::IPPROTO_TCP,
            libc::TCP_INFO,
            (&raw mut info).cast(),
            &raw mut length,
        );
        (asked == 0).then(|| u64::from(info.tcpi_data_segs_in))
    }
}

#[cfg(not(target_os = "linux"))]
pub fn data_segments_in(_connection: &std::net::TcpStream) -> Option<u64> {
    None
}

/// Lets this thread wake at the moment for which it sleeps: usually the kernel may take 50 microseconds more.
#[cfg(target_os = "linux")]
pub fn wake_on_time() {
    // SAFETY: the call takes numbers only. Where it fails, times are longer by what the kernel takes.
    unsafe {
        libc::prctl(libc::PR_SET_TIMERSLACK, 1);
    }
}

#[cfg(not(target_os = "linux"))]
pub fn wake_on_time() {}

/// Resident memory in KiB: now, and at its peak since the program was started.
pub fn memory_kib(pid: u32) -> Option<(u64, u64)> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    Some((field(&status, "VmRSS:")?, field(&status, "VmHWM:")?))
}

/// How often the threads of a process have gone to sleep of their own will, which is how often they were
/// woken.
pub fn sleeps(pid: u32) -> Option<u64> {
    let mut sum = 0;
    for thread in fs::read_dir(format!("/proc/{pid}/task")).ok()? {
        let status = fs::read_to_string(thread.ok()?.path().join("status")).ok()?;
        sum += field(&status, "voluntary_ctxt_switches:")?;
    }
    Some(sum)
}

fn field(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The machine in a few words each: processor, how many of them, memory in MiB, kernel.
pub fn machine() -> Vec<(&'static str, String)> {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    let cpuinfo = read("/proc/cpuinfo");
    let model =
        cpuinfo.lines().find(|line| line.starts_with("model name")).and_then(|line| line.split(": ").nth(1));
    let count = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    vec![
        ("processor", model.unwrap_or(std::env::consts::ARCH).to_owned()),
        ("processors", count.to_string()),
        ("memory_mib", (field(&read("/proc/meminfo"), "MemTotal:").unwrap_or(0) / 1024).to_string()),
        ("kernel", read("/proc/sys/kernel/osrelease").trim().to_owned()),
        ("os", std::env::consts::OS.to_owned()),
    ]
}
