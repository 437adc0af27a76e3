//! A server as a process of Windows: found with `PATHEXT`, started in a job that ends with this process.

#![allow(unsafe_code)]

use super::attributes::{Attributes, job};
use super::command::{Command, SpawnError, Spawned};
use crate::transport::pipes::{Carried, Flow, Handle, last_error, pair, wide};
use crate::transport::poller::Wake;
use crate::transport::process::exit::Exit;
use crate::transport::process::shims::{Found, USUAL_ENDINGS, command_line, find};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::ffi::{OsStr, OsString, c_void};
use std::os::windows::ffi::OsStrExt as _;
use std::path::Path;
use std::ptr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use windows_sys::Win32::Foundation::{HANDLE, INVALID_HANDLE_VALUE, WAIT_OBJECT_0};
use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, GenerateConsoleCtrlEvent, GetConsoleCP};
use windows_sys::Win32::System::JobObjects::TerminateJobObject;
use windows_sys::Win32::System::Threading::{
    CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW, CREATE_UNICODE_ENVIRONMENT, CreateProcessW,
    EXTENDED_STARTUPINFO_PRESENT, GetExitCodeProcess, INFINITE, PROCESS_INFORMATION,
    RegisterWaitForSingleObject, STARTF_USESTDHANDLES, STARTUPINFOEXW, TerminateProcess, UnregisterWaitEx,
    WT_EXECUTELONGFUNCTION, WT_EXECUTEONLYONCE, WaitForSingleObject,
};

/// The status of a process that was killed.
const KILLED: u32 = 1;
/// How long what a process said last may take to be carried after its end.
const LAST_WORDS: Duration = Duration::from_millis(200);
/// How long the last resort waits for a killed process.
const LAST_WAIT: Duration = Duration::from_millis(500);

/// A server process and everything in its job.
#[derive(Debug)]
pub struct Process {
    id: u32,
    /// Before the process: its wait ends first.
    end: End,
    process: Handle,
    job: Handle,
    exit: Option<Exit>,
}

/// What is readable when the process has ended.
#[derive(Debug)]
struct End {
    /// At a place of its own, to which the system's wait leads.
    ended: Box<Ended>,
    wait: HANDLE,
}

/// What the end of a process is told to, and what it still said before.
#[derive(Debug)]
struct Ended {
    wake: Wake,
    last_words: Mutex<[Carried; 2]>,
}

// SAFETY: a handle is a number of the process; any thread may use it.
unsafe impl Send for End {}
// SAFETY: as above.
unsafe impl Sync for End {}

/// Handles are not inherited unless they were made so: there is nothing to do.
pub fn keep_from_children() {}

impl Command {
    /// Starts the process. That its program could be started is known at once.
    ///
    /// # Errors
    /// Why it cannot be started.
    pub fn spawn(&self) -> Result<Spawned<Process>, SpawnError> {
        let (found, line) = self.line()?;
        let failed = |errno: Errno| self.explain(errno);
        let (stdin, its_stdin, _) = pair(Flow::Out).map_err(failed)?;
        let (stdout, its_stdout, said) = pair(Flow::In).map_err(failed)?;
        let (stderr, its_stderr, complained) = pair(Flow::In).map_err(failed)?;
        let process = self
            .start(&found, line, [&its_stdin, &its_stdout, &its_stderr], [said, complained])
            .map_err(failed)?;
        Ok(Spawned { process, stdin, stdout, stderr })
    }

    /// The file to run, and its command line.
    fn line(&self) -> Result<(String, Vec<u16>), SpawnError> {
        let texts = self.args.iter().chain([&self.program]).map(OsStr::new);
        let variables =
            self.environment.iter().flat_map(|(name, value)| [name.as_os_str(), value.as_os_str()]);
        let folder = self.cwd.as_ref().map(|cwd| cwd.as_os_str());
        if texts.chain(variables).chain(folder).any(|text| text.as_encoded_bytes().contains(&0)) {
            return Err(self.refused("a string for it contains a NUL character".to_owned(), None));
        }
        let path = self.variable("PATH").unwrap_or_default();
        let endings = self.variable("PATHEXT").unwrap_or_else(|| USUAL_ENDINGS.to_owned());
        let Some(found) = find(&self.at_cwd(), &path, &endings, |file| Path::new(file).is_file()) else {
            return Err(self.not_found());
        };
        let line = command_line(&found, &self.args)
            .map_err(|unquotable| self.refused(unquotable.to_string(), None))?;
        Ok((self.run_by(found)?, wide(&line)))
    }

    /// The program's name; a relative path begins where the process does, as on other systems.
    fn at_cwd(&self) -> String {
        match &self.cwd {
            Some(cwd) if self.program.contains(['\\', '/']) => {
                cwd.join(&self.program).to_string_lossy().into_owned()
            }
            _ => self.program.clone(),
        }
    }

    /// The file that the system runs: of a batch file, `cmd.exe`, where the system has it.
    fn run_by(&self, found: Found) -> Result<String, SpawnError> {
        if !found.batch {
            return Ok(found.path);
        }
        let folder = self.variable("SYSTEMROOT").or_else(|| std::env::var("SYSTEMROOT").ok());
        folder.map(|folder| format!("{folder}\\System32\\cmd.exe")).ok_or_else(|| {
            self.refused("it is a batch file, and SYSTEMROOT does not say where cmd.exe is".to_owned(), None)
        })
    }

    fn variable(&self, name: &str) -> Option<String> {
        let found = self.environment.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.to_string_lossy().into_owned())
    }

    fn start(
        &self,
        file: &str,
        mut line: Vec<u16>,
        streams: [&Handle; 3],
        last_words: [Carried; 2],
    ) -> Result<Process, Errno> {
        let job = job()?;
        let inherited = streams.map(Handle::raw);
        let jobs = [job.raw()];
        let mut attributes = Attributes::new(&inherited, &jobs)?;
        let mut startup = STARTUPINFOEXW::default();
        startup.StartupInfo.cb = size_of::<STARTUPINFOEXW>() as u32;
        startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
        [startup.StartupInfo.hStdInput, startup.StartupInfo.hStdOutput, startup.StartupInfo.hStdError] =
            inherited;
        startup.lpAttributeList = attributes.list();
        let environment = block(&self.environment);
        let cwd = self.cwd.as_ref().map(wide);
        let file = wide(file);
        let mut made = PROCESS_INFORMATION::default();
        // SAFETY: all strings end with a NUL, the environment with two, and live until the call returns, as do the attributes and what they
        // lead to; the line may be changed by the call.
        let done = unsafe {
            CreateProcessW(
                file.as_ptr(),
                line.as_mut_ptr(),
                ptr::null(),
                ptr::null(),
                1,
                CREATE_UNICODE_ENVIRONMENT | EXTENDED_STARTUPINFO_PRESENT | console(),
                environment.as_ptr().cast(),
                cwd.as_ref().map_or(ptr::null(), Vec::as_ptr),
                (&raw const startup).cast(),
                &raw mut made,
            )
        };
        if done == 0 {
            return Err(last_error());
        }
        drop(attributes);
        let process = Handle::new(made.hProcess)?;
        drop(Handle::new(made.hThread)?);
        // Where this fails, the end of the job ends the process.
        let end = End::of(&process, last_words)?;
        Ok(Process { id: made.dwProcessId, end, process, job, exit: None })
    }
}

/// A program without a console gets none for its server, either: it would be a window. Else the server is in a group of its own, so that
/// Ctrl+C in the console is the program's alone, and Ctrl+Break can be the server's alone.
fn console() -> u32 {
    // SAFETY: the call has no preconditions.
    if unsafe { GetConsoleCP() } == 0 { CREATE_NO_WINDOW } else { CREATE_NEW_PROCESS_GROUP }
}

/// An environment as the system takes it: in the order of its names, as they are without case.
fn block(environment: &[(OsString, OsString)]) -> Vec<u16> {
    let mut variables: Vec<&(OsString, OsString)> = environment.iter().collect();
    variables.sort_by_key(|(name, _)| name.to_ascii_uppercase());
    let mut block = Vec::new();
    for (name, value) in variables {
        block.extend(name.encode_wide().chain([u16::from(b'=')]).chain(value.encode_wide()).chain([0]));
    }
    block.push(0);
    if environment.is_empty() {
        block.push(0);
    }
    block
}

impl End {
    fn of(process: &Handle, last_words: [Carried; 2]) -> Result<End, Errno> {
        let ended = Box::new(Ended { wake: Wake::new()?, last_words: Mutex::new(last_words) });
        let context: *const Ended = &raw const *ended;
        let mut wait = ptr::null_mut();
        // SAFETY: the wake lives until the wait was taken back, which waits for a report that is running.
        let done = unsafe {
            RegisterWaitForSingleObject(
                &raw mut wait,
                process.raw(),
                Some(report),
                context.cast(),
                INFINITE,
                WT_EXECUTEONLYONCE | WT_EXECUTELONGFUNCTION,
            )
        };
        if done == 0 { Err(last_error()) } else { Ok(End { ended, wait }) }
    }
}

/// The process has ended. What it said before is carried first; a process of its own that has its pipes holds that up for a moment only.
unsafe extern "system" fn report(context: *mut c_void, _timed_out: bool) {
    // SAFETY: see `End::of`.
    let ended = unsafe { &*context.cast::<Ended>() };
    let until = Instant::now() + LAST_WORDS;
    for carried in ended.last_words.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        carried.wait(until.saturating_duration_since(Instant::now()));
    }
    ended.wake.set();
}

impl Drop for End {
    fn drop(&mut self) {
        // SAFETY: it was registered once. The second argument has the call wait for a report that is running.
        unsafe { UnregisterWaitEx(self.wait, INVALID_HANDLE_VALUE) };
    }
}

impl Process {
    /// The process id.
    pub fn pid(&self) -> u32 {
        self.id
    }

    /// Readable when the process has ended.
    pub fn end(&self) -> Option<&OwnedFd> {
        Some(self.end.ended.wake.fd())
    }

    /// That it could be started is known already.
    pub fn start_failure(&self, _command: &Command) -> Option<SpawnError> {
        None
    }

    /// Asks it to end, with Ctrl+Break. Without a console there is no way to ask: closing its input did, and killing it comes next.
    pub fn terminate(&self) {
        if self.exit.is_none() {
            // SAFETY: the call takes numbers; the process is not given back yet, so its number still is its own.
            let _has_no_console = unsafe { GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, self.id) };
        }
    }

    /// Ends everything in the job.
    pub fn kill(&self) {
        if self.exit.is_none() {
            self.end_job();
        }
    }

    fn end_job(&self) {
        // SAFETY: both handles are open. The job is empty where all have ended.
        unsafe {
            TerminateJobObject(self.job.raw(), KILLED);
            TerminateProcess(self.process.raw(), KILLED);
        }
    }

    /// How the process ended, once it has. What is left in its job is killed.
    pub fn try_reap(&mut self) -> Option<Exit> {
        if self.exit.is_some() || !self.has_ended(0) {
            return self.exit;
        }
        let mut code = 0;
        // SAFETY: the handle is open.
        let known = unsafe { GetExitCodeProcess(self.process.raw(), &raw mut code) } != 0;
        self.end_job();
        self.exit = Some(Exit { code: known.then(|| code.cast_signed()), signal: None });
        self.exit
    }

    fn has_ended(&self, milliseconds: u32) -> bool {
        // SAFETY: the handle is open.
        unsafe { WaitForSingleObject(self.process.raw(), milliseconds) == WAIT_OBJECT_0 }
    }
}

impl Drop for Process {
    /// The last resort: a process that was not ended by the ladder is killed. Its job would end with the handle in any case.
    fn drop(&mut self) {
        if self.exit.is_none() {
            self.end_job();
            let _given_up = self.has_ended(u32::try_from(LAST_WAIT.as_millis()).unwrap_or(0));
        }
    }
}
