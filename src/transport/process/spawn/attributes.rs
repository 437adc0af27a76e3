//! What a process of Windows gets besides its command line: the handles that it inherits, and the job that it is in.

#![allow(unsafe_code)]

use crate::transport::pipes::{Handle, last_error};
use rustix::io::Errno;
use std::ffi::c_void;
use std::ptr;
use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::System::JobObjects::{
    CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
    JobObjectExtendedLimitInformation, SetInformationJobObject,
};
use windows_sys::Win32::System::Threading::{
    DeleteProcThreadAttributeList, InitializeProcThreadAttributeList, LPPROC_THREAD_ATTRIBUTE_LIST,
    PROC_THREAD_ATTRIBUTE_HANDLE_LIST, PROC_THREAD_ATTRIBUTE_JOB_LIST, UpdateProcThreadAttribute,
};

/// A job that ends all processes in it when its last handle is closed: also when this process is killed.
///
/// # Errors
/// What the system said.
pub(super) fn job() -> Result<Handle, Errno> {
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
pub(super) struct Attributes<'a> {
    // As long as the system wants it, in words so that it is aligned.
    memory: Vec<usize>,
    _values: &'a [HANDLE],
}

impl<'a> Attributes<'a> {
    /// Nothing but `inherited` is inherited; the process is in the one job of `jobs` from its beginning.
    ///
    /// # Errors
    /// What the system said.
    pub(super) fn new(inherited: &'a [HANDLE], jobs: &'a [HANDLE]) -> Result<Attributes<'a>, Errno> {
        const COUNT: u32 = 2;
        let mut bytes = 0;
        // SAFETY: the list may be null to ask for its size, which makes the call fail as it is documented.
        unsafe { InitializeProcThreadAttributeList(ptr::null_mut(), COUNT, 0, &raw mut bytes) };
        let memory = vec![0_usize; bytes.div_ceil(size_of::<usize>())];
        let mut attributes = Attributes { memory, _values: inherited };
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
    pub(super) fn list(&mut self) -> LPPROC_THREAD_ATTRIBUTE_LIST {
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

impl Drop for Attributes<'_> {
    fn drop(&mut self) {
        if !self.memory.is_empty() {
            let list = self.list();
            // SAFETY: it was initialised, and is not used any more.
            unsafe { DeleteProcThreadAttributeList(list) };
        }
    }
}
