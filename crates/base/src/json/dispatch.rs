//! Functions that are compiled once more for processors with AVX2, which take twice as many bytes at a time. Which of the
//! two runs is known when the program runs. Short strings without escapes never come here.

/// Makes a function that runs another one, compiled for this processor. The other one is `inline(always)`, so that it is
/// compiled for the processor of its caller.
macro_rules! widest {
    ($(#[$attribute:meta])* pub(super) fn $name:ident($($arg:ident: $type:ty),*) -> $out:ty = $anywhere:ident;) => {
        $(#[$attribute])*
        pub(super) fn $name($($arg: $type),*) -> $out {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn avx2($($arg: $type),*) -> $out {
                    $anywhere($($arg),*)
                }
                if std::arch::is_x86_feature_detected!("avx2") {
                    // SAFETY: The processor has what the function is compiled for; there is nothing else to it.
                    #[allow(unsafe_code)]
                    return unsafe { avx2($($arg),*) };
                }
            }
            $anywhere($($arg),*)
        }
    };
}

pub(super) use widest;
