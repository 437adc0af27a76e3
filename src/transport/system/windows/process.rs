//! A server as a process of Windows: found with `PATHEXT`, started in a job that ends with this process.

#![allow(unsafe_code)]

use crate::transport::process::{Command, Credentials, Exit, SpawnError, Spawned};
use crate::transport::system::command_line::{FoundProgram, USUAL_ENDINGS, command_line, find};
use crate::transport::system::io::{Carried, Handle, PipeFlow, last_error, pair, wide};
use crate::transport::system::poller::Wake;
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;
use std::ffi::{CStr, OsStr, OsString, c_void};
use std::io::{Error, ErrorKind};
use std::os::windows::ffi::OsStrExt as _;
use std::path::Path;
use std::ptr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use windows_sys::Win32::Foundation::{
    ERROR_ACCESS_DENIED, ERROR_BAD_EXE_FORMAT, ERROR_COMMITMENT_LIMIT, ERROR_DIRECTORY,
    ERROR_ELEVATION_REQUIRED, ERROR_FILE_NOT_FOUND, ERROR_FILENAME_EXCED_RANGE, ERROR_NO_SYSTEM_RESOURCES,
    ERROR_NOT_ENOUGH_MEMORY, ERROR_PATH_NOT_FOUND, HANDLE, INVALID_HANDLE_VALUE, WAIT_OBJECT_0, WIN32_ERROR,
};
use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, GenerateConsoleCtrlEvent, GetConsoleCP};
use windows_sys::Win32::System::JobObjects::{
    CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
    JobObjectExtendedLimitInformation, SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::Threading::{
    CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW, CREATE_UNICODE_ENVIRONMENT, CreateProcessW,
    DeleteProcThreadAttributeList, EXTENDED_STARTUPINFO_PRESENT, GetExitCodeProcess, INFINITE,
    InitializeProcThreadAttributeList, LPPROC_THREAD_ATTRIBUTE_LIST, PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
    PROC_THREAD_ATTRIBUTE_JOB_LIST, PROCESS_INFORMATION, RegisterWaitForSingleObject, STARTF_USESTDHANDLES,
    STARTUPINFOEXW, TerminateProcess, UnregisterWaitEx, UpdateProcThreadAttribute, WT_EXECUTELONGFUNCTION,
    WT_EXECUTEONLYONCE, WaitForSingleObject,
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
    end: EndWatch,
    process: Handle,
    job: Handle,
    exit: Option<Exit>,
}

/// What is readable when the process has ended.
#[derive(Debug)]
struct EndWatch {
    /// At a place of its own, to which the system's wait leads.
    ended: Box<EndReport>,
    wait: HANDLE,
}

/// What the end of a process sets, and the output that is carried before.
#[derive(Debug)]
struct EndReport {
    wake: Wake,
    last_words: Mutex<[Carried; 2]>,
}

// SAFETY: a handle is a number of the process; any thread may use it.
unsafe impl Send for EndWatch {}
// SAFETY: as above.
unsafe impl Sync for EndWatch {}

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
        let (stdin, its_stdin, _) = pair(PipeFlow::Out).map_err(failed)?;
        let (stdout, its_stdout, said) = pair(PipeFlow::In).map_err(failed)?;
        let (stderr, its_stderr, complained) = pair(PipeFlow::In).map_err(failed)?;
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
    fn run_by(&self, found: FoundProgram) -> Result<String, SpawnError> {
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
        let mut attributes = ProcessAttributes::new(&inherited, &jobs)?;
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
        let end = EndWatch::of(&process, last_words)?;
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

impl EndWatch {
    fn of(process: &Handle, last_words: [Carried; 2]) -> Result<EndWatch, Errno> {
        let ended = Box::new(EndReport { wake: Wake::new()?, last_words: Mutex::new(last_words) });
        let context: *const EndReport = &raw const *ended;
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
        if done == 0 { Err(last_error()) } else { Ok(EndWatch { ended, wait }) }
    }
}

/// The process has ended. What it said before is carried first; a process of its own that has its pipes holds that up for a moment only.
unsafe extern "system" fn report(context: *mut c_void, _timed_out: bool) {
    // SAFETY: see `End::of`.
    let ended = unsafe { &*context.cast::<EndReport>() };
    let until = Instant::now() + LAST_WORDS;
    for carried in ended.last_words.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        carried.wait(until.saturating_duration_since(Instant::now()));
    }
    ended.wake.set();
}

impl Drop for EndWatch {
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

/// A job that ends all processes in it when its last handle is closed: also when this process is killed.
///
/// # Errors
/// What the system said.
pub(crate) fn job() -> Result<Handle, Errno> {
    // SAFETY: both pointers may be null.
    let job = Handle::new(unsafe { CreateJobObjectW(ptr::null(), ptr::null()) })?;
    let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    // SAFETY: the job is open, and the structure is of the kind and the size that are named.
    let done = unsafe {
        SetInformationJobObject(
            job.raw(),
            JobObjectExtendedLimitInformation,
            (&raw const limits).cast(),
            size_of::<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>() as u32,
        )
    };
    if done == 0 { Err(last_error()) } else { Ok(job) }
}

/// Attributes of a process that is going to be made. They lead to what they were made from.
pub(crate) struct ProcessAttributes<'a> {
    // As long as the system wants it, in words so that it is aligned.
    memory: Vec<usize>,
    _values: &'a [HANDLE],
}

impl<'a> ProcessAttributes<'a> {
    /// Nothing but `inherited` is inherited; the process is in the one job of `jobs` from its beginning.
    ///
    /// # Errors
    /// What the system said.
    pub(crate) fn new(inherited: &'a [HANDLE], jobs: &'a [HANDLE]) -> Result<ProcessAttributes<'a>, Errno> {
        const COUNT: u32 = 2;
        let mut bytes = 0;
        // SAFETY: the list may be null to ask for its size, which makes the call fail as it is documented.
        unsafe { InitializeProcThreadAttributeList(ptr::null_mut(), COUNT, 0, &raw mut bytes) };
        let memory = vec![0_usize; bytes.div_ceil(size_of::<usize>())];
        let mut attributes = ProcessAttributes { memory, _values: inherited };
        // SAFETY: the memory has the size that the system asked for.
        if unsafe { InitializeProcThreadAttributeList(attributes.list(), COUNT, 0, &raw mut bytes) } == 0 {
            // Nothing is to be deleted.
            attributes.memory.clear();
            return Err(last_error());
        }
        attributes.set(PROC_THREAD_ATTRIBUTE_HANDLE_LIST, inherited)?;
        attributes.set(PROC_THREAD_ATTRIBUTE_JOB_LIST, jobs)?;
        Ok(attributes)
    }

    /// The list as the system takes it.
    pub(crate) fn list(&mut self) -> LPPROC_THREAD_ATTRIBUTE_LIST {
        self.memory.as_mut_ptr().cast::<c_void>()
    }

    fn set(&mut self, attribute: u32, values: &'a [HANDLE]) -> Result<(), Errno> {
        let list = self.list();
        // SAFETY: the list is initialised; the values live as long as it does.
        let done = unsafe {
            UpdateProcThreadAttribute(
                list,
                0,
                attribute as usize,
                values.as_ptr().cast(),
                size_of_val(values),
                ptr::null_mut(),
                ptr::null(),
            )
        };
        if done == 0 { Err(last_error()) } else { Ok(()) }
    }
}

impl Drop for ProcessAttributes<'_> {
    fn drop(&mut self) {
        if !self.memory.is_empty() {
            let list = self.list();
            // SAFETY: it was initialised, and is not used any more.
            unsafe { DeleteProcThreadAttributeList(list) };
        }
    }
}

impl Command {
    /// What the system said of the start.
    pub(crate) fn explain(&self, errno: Errno) -> SpawnError {
        let error = std::io::Error::from(errno);
        let why = match WIN32_ERROR::try_from(errno.raw_os_error()).unwrap_or(0) {
            ERROR_FILE_NOT_FOUND | ERROR_PATH_NOT_FOUND => return self.not_found(),
            ERROR_DIRECTORY => {
                format!("the directory '{}' (cwd) does not exist or cannot be entered", self.shown_cwd())
            }
            ERROR_ACCESS_DENIED => "permission denied; may this user run it?".to_owned(),
            ERROR_BAD_EXE_FORMAT => {
                "it is not a program for this system (a script needs its interpreter as 'command')".to_owned()
            }
            ERROR_ELEVATION_REQUIRED => {
                "it wants the rights of an administrator; start it as one, or use another program".to_owned()
            }
            ERROR_FILENAME_EXCED_RANGE => format!("its arguments are too long ({error})"),
            ERROR_NOT_ENOUGH_MEMORY | ERROR_NO_SYSTEM_RESOURCES | ERROR_COMMITMENT_LIMIT => {
                format!("no process can be made now ({error})")
            }
            _ => error.to_string(),
        };
        self.refused(why, Some(errno))
    }

    /// There is no such program.
    pub(crate) fn not_found(&self) -> SpawnError {
        let program = &self.program;
        let why = if program.starts_with("~/") || program.starts_with("~\\") {
            "'~' is not expanded; write the whole path"
        } else if program.contains(['\\', '/', ':']) {
            "there is no such file; is its ending missing, or not in PATHEXT?"
        } else if program.contains(' ') {
            "there is no program of this name; give the program alone as 'command' and the words behind it as 'args'"
        } else {
            "it is in no directory of PATH, with an ending of PATHEXT; install it, give its full path as 'command', or set PATH \
             in 'env'"
        };
        self.refused(why.to_owned(), Some(Errno::from_raw_os_error(ERROR_FILE_NOT_FOUND.cast_signed())))
    }

    pub(crate) fn refused(&self, why: String, errno: Option<Errno>) -> SpawnError {
        SpawnError {
            message: format!("cannot start '{}': {why}", self.program),
            errno: errno.map(Errno::raw_os_error),
        }
    }

    fn shown_cwd(&self) -> String {
        self.cwd.as_ref().map(|cwd| cwd.display().to_string()).unwrap_or_default()
    }
}

/// Nothing is known of a process at the other end of a socket.
///
/// # Errors
/// Always.
pub fn peer_credentials(_socket: impl AsFd) -> Result<Credentials, Error> {
    Err(ErrorKind::Unsupported.into())
}

/// Users have no numbers here, and no client is known by one.
pub fn our_user() -> u32 {
    0
}

/// Rust's threads have their names from the beginning.
pub(crate) fn name_thread(_name: &CStr) {}
