using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Libmcp {
    /// <summary>Runs what arrives one after another, in order. When it is full the oldest are dropped, and counted.</summary>
    internal sealed class Inbox {
        private readonly Queue<Action> waiting = new Queue<Action>();
        private readonly int most;
        private readonly Action<long> lost;
        private readonly Action<string, Exception> tell;
        private bool runs;
        private long dropped;

        internal Inbox(int most, Action<long> lost, Action<string, Exception> tell) {
            this.most = most;
            this.lost = lost;
            this.tell = tell;
        }

        internal void Add(Action one) {
            lock (waiting) {
                if (waiting.Count == most) {
                    waiting.Dequeue();
                    dropped++;
                }
                waiting.Enqueue(one);
                if (!runs) {
                    runs = ThreadPool.QueueUserWorkItem(ignored => Run());
                }
            }
        }

        private void Run() {
            while (true) {
                Action next = null;
                long gone;
                lock (waiting) {
                    gone = dropped;
                    dropped = 0;
                    if (gone == 0) {
                        if (waiting.Count == 0) {
                            runs = false;
                            return;
                        }
                        next = waiting.Dequeue();
                    }
                }
                try {
                    if (next == null) {
                        lost(gone);
                    } else {
                        next();
                    }
                } catch (Exception failure) {
                    tell("handler", failure);
                }
            }
        }
    }

    /// <summary>A call under way: it gets its reports and its one outcome.</summary>
    internal sealed class Call {
        /// <summary>The most reports that wait for the function of a call; then the oldest are dropped.</summary>
        private const int MostReports = 256;

        private readonly TaskCompletionSource<KeyValuePair<Status, MessageHandle>> outcome =
            new TaskCompletionSource<KeyValuePair<Status, MessageHandle>>(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly Inbox reports;
        /// <summary>
        /// The client or server, which is not collected while a call waits. Not longer, and the thread that ends the call only writes here:
        /// a collector that takes what is left on stacks for references would find it until the next message.
        /// </summary>
        internal object Owner;
        private IProgress<Json> progress;

        internal Call(object owner, IProgress<Json> progress, Action<string, Exception> tell) {
            Owner = owner;
            this.progress = progress;
            reports = progress == null ? null : new Inbox(MostReports, count => { }, tell);
        }

        internal Task<KeyValuePair<Status, MessageHandle>> Outcome => outcome.Task;

        internal bool WantsReports => reports != null;

        internal void Report(Json value) {
            IProgress<Json> to = progress;
            reports.Add(() => to.Report(value));
        }

        /// <summary>The outcome, after the reports. The call owns the message, which is null if no message came.</summary>
        internal void End(Status status, MessageHandle message) {
            progress = null;
            if (reports == null) {
                Finish(status, message);
            } else {
                reports.Add(() => Finish(status, message));
            }
        }

        private void Finish(Status status, MessageHandle message) {
            Owner = null;
            if (!outcome.TrySetResult(new KeyValuePair<Status, MessageHandle>(status, message)) && message != null) {
                message.Dispose();
            }
        }
    }

    /// <summary>
    /// The threads that wait in the library. At the end of the program, or of its domain in an editor that loads it again, a runtime such
    /// as Mono aborts them and waits until they have left native code: they are woken before.
    /// </summary>
    internal static class Waits {
        private static readonly ConcurrentDictionary<object, Action> All = new ConcurrentDictionary<object, Action>();

        static Waits() {
            AppDomain.CurrentDomain.ProcessExit += End;
            AppDomain.CurrentDomain.DomainUnload += End;
        }

        internal static void Add(object waits, Action stop) => All[waits] = stop;

        internal static void Remove(object waits) {
            Action stop;
            All.TryRemove(waits, out stop);
        }

        private static void End(object sender, EventArgs arguments) {
            foreach (KeyValuePair<object, Action> one in All) {
                one.Value();
            }
        }
    }

    /// <summary>
    /// What a client and a server are made of. One thread waits for messages; it runs no code of the program, so that nothing that the
    /// program does keeps an answer from its call. It knows this and not the object of the program, so that a forgotten one is found.
    /// </summary>
    internal abstract class Core<THandle> where THandle : NativeHandle {
        private const int StackBytes = 512 * 1024;

        /// <summary>A function of the library that uses the handle.</summary>
        internal delegate Status Use(THandle handle, out IntPtr error);

        /// <summary>A function of the library that starts a call.</summary>
        internal delegate Status Start(THandle handle, byte[] options, ulong tag, out ulong id, out IntPtr error);

        private readonly ConcurrentDictionary<ulong, Call> calls = new ConcurrentDictionary<ulong, Call>();
        private readonly TaskCompletionSource<bool> ended = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource<bool> closed = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly string name;
        private Thread loop;
        private long lastTag;
        private int isClosing;
        private volatile bool isStopped;

        protected Core(THandle handle, string name) {
            Handle = handle;
            this.name = name;
        }

        /// <summary>What a function of the program threw, and what it was called for.</summary>
        internal event Action<string, Exception> Failed;

        internal THandle Handle { get; }

        /// <summary>Ends when the thread that waits has ended.</summary>
        internal Task Ended => ended.Task;

        protected abstract Status Poll(out MessageHandle message);

        /// <summary>Takes what is no part of a call; it owns the message.</summary>
        protected abstract void Take(MessageHandle message, MessageKind kind);

        protected abstract void Cancel(ulong id, Call call);

        protected abstract Status CloseHandle();

        protected abstract Status Wake();

        internal void Begin() {
            loop = new Thread(Loop, StackBytes) { IsBackground = true, Name = "mcp-" + name };
            Waits.Add(this, Stop);
            loop.Start();
        }

        /// <summary>Calls a function of the library; a status that is an error is thrown.</summary>
        internal Status With(string operation, Use use) {
            IntPtr error = IntPtr.Zero;
            try {
                if (Volatile.Read(ref isClosing) == 0) {
                    return Library.Check(operation, use(Handle, out error), error);
                }
            } catch (ObjectDisposedException) {
                // Another thread has freed it since.
            }
            throw new McpException(Status.Closed, operation, operation + ": the " + name + " is closed");
        }

        /// <summary>Makes a call and reads its outcome. What is started has exactly one. Only the call knows the owner.</summary>
        internal Task<TResult> Run<TResult>(string operation, object owner, CallOptions options, CancellationToken cancellation,
            Start start, Func<MessageHandle, TResult> read) =>
            Run(operation, new Call(owner, options == null ? null : options.Progress, Tell), options, cancellation, start, read);

        private async Task<TResult> Run<TResult>(string operation, Call call, CallOptions options, CancellationToken cancellation,
            Start start, Func<MessageHandle, TResult> read) {
            cancellation.ThrowIfCancellationRequested();
            byte[] text = options == null ? null : options.Bytes(operation);
            ulong tag = (ulong)Interlocked.Increment(ref lastTag);
            ulong id = 0;
            // The reply may come before the function that starts the call has returned.
            calls[tag] = call;
            try {
                With(operation, (THandle handle, out IntPtr error) => start(handle, text, tag, out id, out error));
            } catch (Exception) {
                Forget(tag);
                throw;
            }
            KeyValuePair<Status, MessageHandle> outcome;
            using (cancellation.Register(() => Cancel(id, call))) {
                outcome = await call.Outcome.ConfigureAwait(false);
            }
            using (outcome.Value) {
                if (outcome.Key >= 0) {
                    return read(outcome.Value);
                }
                McpException failure = McpException.Of(outcome.Key, operation, outcome.Value == null ? Json.Absent : Json.From(outcome.Value));
                if (outcome.Key == Status.Cancelled && cancellation.IsCancellationRequested) {
                    throw new OperationCanceledException(failure.Message, failure, cancellation);
                }
                throw failure;
            }
        }

        private void Forget(ulong tag) {
            Call none;
            calls.TryRemove(tag, out none);
        }

        /// <summary>Ends the thread that waits, and nothing else: the handle is freed by its finalizer.</summary>
        private void Stop() {
            try {
                isStopped = true;
                Wake();
            } catch (ObjectDisposedException) {
                // It has ended.
            }
        }

        private void Loop() {
            Status status = Status.Internal;
            try {
                do {
                    MessageHandle message;
                    status = Poll(out message);
                    if (status == Status.OK && !isStopped) {
                        Dispatch(message);
                    }
                } while (status >= 0 && !isStopped);
            } catch (ThreadAbortException) {
                // The program or its domain ends.
            } catch (Exception failure) {
                Tell("poll", failure);
            } finally {
                Waits.Remove(this);
                // At the end of the program nothing of it is run any more: Mono would wait for a thread of the pool that starts now.
                if (!isStopped) {
                    // None is left, unless the queue or this thread has failed: then no call may wait for ever.
                    foreach (KeyValuePair<ulong, Call> one in calls) {
                        one.Value.End(status < 0 ? status : Status.Internal, null);
                    }
                    calls.Clear();
                    ended.TrySetResult(true);
                }
            }
        }

        private void Dispatch(MessageHandle message) {
            try {
                Call call;
                MessageKind kind = Native.mcp_message_kind(message);
                if (kind == MessageKind.Reply) {
                    if (calls.TryRemove(Native.mcp_message_tag(message), out call)) {
                        call.End(Native.mcp_message_status(message), message);
                    }
                } else if (kind == MessageKind.Progress) {
                    if (calls.TryGetValue(Native.mcp_message_tag(message), out call) && call.WantsReports) {
                        call.Report(Json.From(message));
                    }
                    message.Dispose();
                } else {
                    Take(message, kind);
                }
            } catch (Exception failure) {
                message.Dispose();
                Tell("message", failure);
            }
        }

        /// <summary>Tells the program what its function threw; without a handler, its standard error.</summary>
        internal void Tell(string what, Exception failure) {
            Action<string, Exception> failed = Failed;
            try {
                if (failed != null) {
                    failed(what, failure);
                    return;
                }
            } catch (Exception again) {
                failure = new AggregateException("the handler for failures failed", again, failure);
            }
            try {
                Console.Error.WriteLine("libmcp: " + what + ": " + failure);
            } catch (Exception) {
                // Standard error is closed: there is no other place to tell it.
            }
        }

        /// <summary>Closes and frees, on a thread of its own. All that call it wait for the same end.</summary>
        internal Task Close() {
            if (Interlocked.Exchange(ref isClosing, 1) == 0) {
                new Thread(Finish, StackBytes) { IsBackground = true, Name = "mcp-close" }.Start();
            }
            return closed.Task;
        }

        private void Finish() {
            try {
                Status status = CloseHandle();
                if (status < 0) {
                    Tell("close", McpException.Of(status, "close", Json.Absent));
                }
                loop.Join();
            } catch (Exception failure) {
                Tell("close", failure);
            } finally {
                // A thread that still is in a function of the library frees it on the way out.
                Handle.Dispose();
                closed.TrySetResult(true);
            }
        }

        /// <summary>Closes what the program has forgotten: called by the finalizer, which may not wait.</summary>
        internal void CloseForgotten() {
            try {
                if (!Environment.HasShutdownStarted) {
                    Close();
                }
            } catch (Exception failure) {
                Tell("close", failure);
            }
        }
    }
}
