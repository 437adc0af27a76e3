//! One run of one contender, measured from outside. The contender says where its measured section begins and
//! ends and how long it took; processor time and memory are read here while it waits.

use crate::contender::{Entrant, Workshop, arguments};
use crate::os;
use crate::workload::{Effort, Kind, Over, Placement, Workload};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// What one run gave. Values that the workload or the system does not have are missing.
#[derive(Clone, Default)]
pub struct Sample {
    /// The number of the workload: calls/s, MiB/s, ms, KiB, or processor time in µs per second.
    pub value: f64,
    pub calls: u64,
    pub ns: u64,
    /// Processor time of the client alone, per call.
    pub cpu_us: Option<f64>,
    pub p50_us: Option<f64>,
    pub p99_us: Option<f64>,
    pub peak_kib: Option<u64>,
    /// KiB for each further idle server.
    pub each_kib: Option<f64>,
    /// Wake-ups per second of idle clients.
    pub wakes: Option<f64>,
    pub version: String,
}

/// Where and with what a contender runs.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    pub workshop: &'a Workshop,
    pub workload: &'static Workload,
    pub era: &'static str,
    pub placement: Placement,
    pub effort: &'a Effort,
}

impl Setting<'_> {
    /// How many calls fill the measured section, found out by a short run that is thrown away.
    pub fn calibrate(&self, entrant: &Entrant) -> Result<u64, String> {
        let (small, least) = match self.workload.kind {
            Kind::Calls => (500, 200),
            Kind::Big => (5, 5),
            Kind::Start | Kind::Idle | Kind::IdleServer | Kind::Many => return Ok(1),
        };
        let sample = self.calls(entrant, small)?;
        let each = sample.ns.max(1) / sample.calls.max(1);
        let section = u64::try_from(self.effort.section.as_nanos()).unwrap_or(u64::MAX);
        Ok((section / each.max(1)).max(least))
    }

    pub fn run(&self, entrant: &Entrant, calls: u64) -> Result<Sample, String> {
        match self.workload.kind {
            Kind::Calls | Kind::Big => self.calls(entrant, calls),
            Kind::Start => self.starts(entrant),
            Kind::Idle => self.idle(entrant),
            Kind::IdleServer => self.idle_server(entrant),
            Kind::Many => self.many(entrant),
        }
    }

    fn calls(&self, entrant: &Entrant, calls: u64) -> Result<Sample, String> {
        let big = self.effort.big;
        let more = if self.workload.kind == Kind::Big { vec![format!("bytes={big}")] } else { Vec::new() };
        let mut talk = self.open(entrant, calls, &more)?;
        let ready = talk.line("ready")?;
        talk.measures(&ready);
        let before = os::cpu_ns(talk.measured);
        talk.go()?;
        let mut sample = talk.done(before)?;
        sample.peak_kib = os::memory_kib(talk.measured).map(|(_, peak)| peak);
        sample.version = version(&ready);
        talk.go()?;
        let latency = talk.line("latency")?;
        sample.p50_us = number(&latency, "p50").map(us);
        sample.p99_us = number(&latency, "p99").map(us);
        talk.end()?;
        sample.value = per_second(sample.calls, sample.ns);
        if self.workload.kind == Kind::Big {
            sample.value *= big as f64 / f64::from(1 << 20);
        }
        Ok(sample)
    }

    /// Runs calls without looking at the clock.
    pub fn work(&self, entrant: &Entrant, calls: u64) -> Result<(), String> {
        self.calls(entrant, calls).map(drop)
    }

    /// The median of some starts; a single one says little.
    fn starts(&self, entrant: &Entrant) -> Result<Sample, String> {
        let mut times = Vec::new();
        let mut peak = None;
        for _ in 0..self.effort.starts {
            let start = Instant::now();
            let mut talk = self.open(entrant, 1, &[])?;
            talk.line("first")?;
            times.push(start.elapsed());
            peak = os::memory_kib(talk.measured).map(|(_, peak)| peak).max(peak);
            talk.end()?;
        }
        times.sort_unstable();
        let median = times[times.len() / 2];
        Ok(Sample { value: median.as_secs_f64() * 1e3, calls: 1, peak_kib: peak, ..Sample::default() })
    }

    /// Memory with one idle server, and what each further one adds.
    fn idle(&self, entrant: &Entrant) -> Result<Sample, String> {
        let many = self.effort.idle_clients;
        let mut sample = Sample::default();
        let mut peaks = [0.0; 2];
        for (peak, clients) in peaks.iter_mut().zip([1, many]) {
            let mut talk = self.open(entrant, 1, &[format!("clients={clients}")])?;
            let ready = talk.line("ready")?;
            sample.version = version(&ready);
            if clients == many {
                sample.wakes = talk.watch(self.effort.watch);
            }
            *peak = os::memory_kib(talk.measured).map_or(0, |(_, peak)| peak) as f64;
            talk.go()?;
            talk.end()?;
        }
        sample.value = peaks[0];
        sample.peak_kib = Some(peaks[1] as u64);
        sample.each_kib = Some((peaks[1] - peaks[0]) / f64::from(many - 1));
        Ok(sample)
    }

    /// Memory of one server that waits.
    fn idle_server(&self, entrant: &Entrant) -> Result<Sample, String> {
        let mut talk = self.open(entrant, 1, &[])?;
        let ready = talk.line("ready")?;
        talk.measures(&ready);
        let wakes = talk.watch(self.effort.watch);
        let peak = os::memory_kib(talk.measured).map(|(_, peak)| peak);
        talk.go()?;
        talk.end()?;
        let value = peak.unwrap_or(0) as f64;
        Ok(Sample { value, peak_kib: peak, wakes, version: version(&ready), ..Sample::default() })
    }

    fn many(&self, entrant: &Entrant) -> Result<Sample, String> {
        let (clients, seconds) = (self.effort.many_clients, self.effort.many_seconds);
        let mut talk =
            self.open(entrant, 1, &[format!("clients={clients}"), format!("seconds={seconds}")])?;
        let ready = talk.line("ready")?;
        let wakes = talk.watch(self.effort.watch);
        let before = os::cpu_ns(talk.measured);
        talk.go()?;
        let mut sample = talk.done(before)?;
        sample.wakes = wakes;
        sample.peak_kib = os::memory_kib(talk.measured).map(|(_, peak)| peak);
        sample.version = version(&ready);
        sample.value = sample.cpu_us.unwrap_or(0.0) * sample.calls as f64 / (sample.ns as f64 / 1e9);
        talk.go()?;
        talk.end()?;
        Ok(sample)
    }

    fn open(&self, entrant: &Entrant, calls: u64, more: &[String]) -> Result<Talk, String> {
        // The child inherits the placement of this thread, and the server inherits it from the child.
        // The last processor it is, because the first one takes most interrupts.
        let all = os::processors();
        if self.placement == Placement::OneCpu && !os::bind(&all[all.len().saturating_sub(1)..]) {
            return Err("cannot bind to one processor here".to_owned());
        }
        let talk = self.start(entrant, calls, more);
        if self.placement == Placement::OneCpu {
            os::bind(&all);
        }
        talk
    }

    fn start(&self, entrant: &Entrant, calls: u64, more: &[String]) -> Result<Talk, String> {
        let mut contender = match (self.workload.over, entrant.led_by.split_first()) {
            (Over::Served, _) => Command::new(self.workshop.caller()),
            (_, Some((first, rest))) => {
                let mut leader = Command::new(first);
                leader.args(rest).arg(&entrant.program);
                leader
            }
            (_, None) => Command::new(&entrant.program),
        };
        if self.workload.over == Over::Served {
            for word in &entrant.led_by {
                let mut lead = std::ffi::OsString::from("lead=");
                lead.push(word);
                contender.arg(lead);
            }
        } else {
            contender.args(&entrant.leading);
        }
        let server = match self.workload.over {
            Over::Served => entrant.server.clone(),
            Over::Pipes | Over::Http(_) => self.workshop.server(),
        };
        contender.args(arguments(self.workshop, self.workload, self.era, &server, calls)).args(more);
        let server = match self.workload.over {
            Over::Pipes | Over::Served => None,
            Over::Http(form) => {
                let mut server = Command::new(self.workshop.server());
                let mut server = Talk::start(server.args(["--era", self.era, "--http", form]), None)?;
                contender.arg(format!("url={}", server.line("http")?.trim_end()));
                Some(Box::new(server))
            }
        };
        Talk::start(&mut contender, server)
    }
}

/// The talk with a running contender, or with a server that is not the contender's own.
struct Talk {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    server: Option<Box<Talk>>,
    /// The process that is measured: the contender, or the server that it calls.
    measured: u32,
}

impl Talk {
    fn start(command: &mut Command, server: Option<Box<Talk>>) -> Result<Self, String> {
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.map_err(|error| format!("{}: {error}", command.get_program().display()))?;
        let input = child.stdin.take().ok_or("no input")?;
        let output = BufReader::new(child.stdout.take().ok_or("no output")?);
        let measured = child.id();
        Ok(Self { child, input: Some(input), output, server, measured })
    }

    /// Measures the process that the contender names, if it names one.
    fn measures(&mut self, ready: &str) {
        let named = number(ready, "pid").and_then(|pid| u32::try_from(pid).ok());
        self.measured = named.unwrap_or(self.measured);
    }

    fn line(&mut self, begins: &str) -> Result<String, String> {
        let mut line = String::new();
        self.output.read_line(&mut line).map_err(|error| error.to_string())?;
        if line.starts_with(begins) {
            Ok(line)
        } else {
            Err(format!("said {:?}, not {begins:?}", line.trim_end()))
        }
    }

    fn go(&mut self) -> Result<(), String> {
        let input = self.input.as_mut().ok_or("the talk is over")?;
        input.write_all(b"\n").map_err(|error| error.to_string())
    }

    /// The end of the measured section, and the processor time it took.
    fn done(&mut self, before: Option<u64>) -> Result<Sample, String> {
        let line = self.line("done")?;
        let after = os::cpu_ns(self.measured);
        let calls = number(&line, "calls").ok_or("no calls")?;
        let ns = number(&line, "ns").ok_or("no time")?;
        let cpu_us = before.zip(after).map(|(before, after)| us(after - before) / calls.max(1) as f64);
        Ok(Sample { calls, ns, cpu_us, ..Sample::default() })
    }

    /// Wake-ups per second while nothing is asked of the contender.
    fn watch(&self, time: Duration) -> Option<f64> {
        // What the last calls have set in motion may still come to rest.
        std::thread::sleep(Duration::from_millis(300));
        let before = os::sleeps(self.measured)?;
        std::thread::sleep(time);
        let after = os::sleeps(self.measured)?;
        Some(after.saturating_sub(before) as f64 / time.as_secs_f64())
    }

    fn end(mut self) -> Result<(), String> {
        self.input = None;
        let status = self.child.wait().map_err(|error| error.to_string())?;
        if let Some(server) = self.server.take() {
            server.end()?;
        }
        if status.success() { Ok(()) } else { Err(format!("ended with {status}")) }
    }
}

impl Drop for Talk {
    /// A contender that failed in the middle must not go on while the next one is measured.
    fn drop(&mut self) {
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

fn version(ready: &str) -> String {
    word(ready, "version").unwrap_or_default().to_owned()
}

fn word<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    line.split_whitespace().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
}

fn number(line: &str, key: &str) -> Option<u64> {
    word(line, key)?.parse().ok()
}

fn us(ns: u64) -> f64 {
    ns as f64 / 1e3
}

fn per_second(calls: u64, ns: u64) -> f64 {
    calls as f64 * 1e9 / ns.max(1) as f64
}
