using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace Libmcp {
    /// <summary>
    /// The answer to a request that an HTTP server of the program has taken (<see cref="Server.HttpAsync"/>). Dispose of it when it was
    /// sent, or when its client is gone: a request whose answer was not read to its end is cancelled thereby in revision 2026-07-28.
    /// </summary>
    public sealed class HttpAnswer : IDisposable {
        private const int Most = 64 * 1024;

        /// <summary>How long a wait in the library lasts at most: as late a cancellation may be.</summary>
        private const int WaitMs = 100;

        /// <summary>How long a part of a body is waited for before the library is asked whether it still wants it.</summary>
        private const int LookMs = 1000;

        private readonly List<KeyValuePair<string, string>> headers = new List<KeyValuePair<string, string>>();
        private ExchangeHandle handle;

        private HttpAnswer() {
        }

        /// <summary>A function of the library that waits for so many milliseconds at most.</summary>
        private delegate Status Step(int timeoutMs);

        /// <summary>The status of HTTP.</summary>
        public int Status { get; private set; }

        /// <summary>The bytes of the body; null for an event stream, whose parts are to be sent as they come.</summary>
        public long? Length { get; private set; }

        /// <summary>All headers. Those about the connection, the length and the date are the HTTP server's.</summary>
        public IReadOnlyList<KeyValuePair<string, string>> Headers => headers;

        /// <summary>The next bytes of the body, as soon as there are some; 0 at the end. Send them at once, and read only what can be sent.</summary>
        /// <exception cref="McpException">the rest is lost, because it was read too slowly: cut the connection</exception>
        public async Task<int> ReadAsync(byte[] into, CancellationToken cancellationToken = default(CancellationToken)) {
            UIntPtr length = UIntPtr.Zero;
            await WhenReady(wait => Native.mcp_exchange_read(handle, wait, into, (UIntPtr)into.Length, out length), cancellationToken).ConfigureAwait(false);
            return checked((int)length);
        }

        /// <summary>Writes the body to a stream, and flushes it after each part.</summary>
        /// <exception cref="McpException">as of <see cref="ReadAsync"/></exception>
        public async Task CopyToAsync(Stream to, CancellationToken cancellationToken = default(CancellationToken)) {
            byte[] part = new byte[Most];
            for (int count; (count = await ReadAsync(part, cancellationToken).ConfigureAwait(false)) > 0;) {
                await to.WriteAsync(part, 0, count, cancellationToken).ConfigureAwait(false);
                await to.FlushAsync(cancellationToken).ConfigureAwait(false);
            }
        }

        /// <summary>Gives the answer up, or ends it. What reads it meanwhile ends with an <see cref="ObjectDisposedException"/>.</summary>
        public void Dispose() => handle.Dispose();

        /// <summary>Gives the head of a request to the server.</summary>
        internal static Status Begin(ServerHandle server, string method, string target, IEnumerable<KeyValuePair<string, string>> headers, string peer,
            out HttpAnswer answer, out IntPtr error) {
            const string Operation = "http";
            List<byte[]> words = new List<byte[]>();
            foreach (KeyValuePair<string, string> header in headers) {
                words.Add(Library.Bytes(Operation, header.Key));
                words.Add(Library.Bytes(Operation, header.Value ?? ""));
            }
            byte[] verb = Library.Bytes(Operation, method), at = Library.Bytes(Operation, target), from = Library.Bytes(Operation, peer);
            answer = new HttpAnswer();
            GCHandle[] pinned = words.ConvertAll(it => GCHandle.Alloc(it, GCHandleType.Pinned)).ToArray();
            IntPtr[] all = new IntPtr[pinned.Length + 1]; // NULL ends it.
            for (int i = 0; i < pinned.Length; i++) {
                all[i] = pinned[i].AddrOfPinnedObject();
            }
            GCHandle list = GCHandle.Alloc(all, GCHandleType.Pinned);
            try {
                return Native.mcp_server_http_begin(server, verb, at, list.AddrOfPinnedObject(), from, IntPtr.Zero, IntPtr.Zero, IntPtr.Zero,
                    out answer.handle, out error);
            } finally {
                list.Free();
                Array.ForEach(pinned, it => it.Free());
            }
        }

        /// <summary>Reads the body as far as the library asks for it, and waits for the head of the answer.</summary>
        internal async Task Take(Stream body, CancellationToken cancellationToken) {
            await TakeBody(body ?? Stream.Null, cancellationToken).ConfigureAwait(false);
            int status = 0;
            long length = 0;
            await WhenReady(wait => Native.mcp_exchange_head(handle, wait, out status, out length), cancellationToken).ConfigureAwait(false);
            Status = status;
            Length = length < 0 ? (long?)null : length;
            while (true) {
                IntPtr value;
                string name = Library.Text(Native.mcp_exchange_header(handle, (UIntPtr)headers.Count, out value));
                if (name == null) {
                    return;
                }
                headers.Add(new KeyValuePair<string, string>(name, Library.Text(value)));
            }
        }

        private async Task TakeBody(Stream body, CancellationToken cancellationToken) {
            byte[] part = new byte[Most];
            Task<int> coming = null;
            Task look = Task.CompletedTask;
            using (CancellationTokenSource over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken)) {
                try {
                    while (true) {
                        UIntPtr wanted = UIntPtr.Zero;
                        await WhenReady(wait => Native.mcp_exchange_permit(handle, wait, out wanted), cancellationToken).ConfigureAwait(false);
                        int most = (int)Math.Min((ulong)wanted, Most);
                        if (most == 0) {
                            return;
                        }
                        coming = coming ?? body.ReadAsync(part, 0, most, over.Token);
                        if (!coming.IsCompleted) {
                            // The library may refuse the request before its client sends more.
                            look = look.IsCompleted ? Task.Delay(LookMs, over.Token) : look;
                            if (await Task.WhenAny(coming, look).ConfigureAwait(false) != coming) {
                                continue;
                            }
                        }
                        int count = await coming.ConfigureAwait(false);
                        coming = null;
                        await WhenReady(wait => Native.mcp_exchange_write(handle, part, (UIntPtr)count, count == 0), cancellationToken).ConfigureAwait(false);
                    }
                } finally {
                    over.Cancel();
                    if (coming != null) {
                        // This read is abandoned: its failure is not one of the program.
                        _ = coming.ContinueWith(read => read.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted, TaskScheduler.Default);
                    }
                }
            }
        }

        /// <summary>
        /// Waits on a thread of its own, where there is nothing yet. The library could tell by a function of the program instead, on one of
        /// its threads: these block all signals, by which the collector of Mono stops a thread that runs C#, and would wait for ever.
        /// </summary>
        private static async Task WhenReady(Step step, CancellationToken cancellationToken) {
            cancellationToken.ThrowIfCancellationRequested();
            Status found = step(0);
            if (found == Libmcp.Status.Empty) {
                found = await Task.Factory.StartNew(() => {
                    while ((found = step(WaitMs)) == Libmcp.Status.Empty) {
                        cancellationToken.ThrowIfCancellationRequested();
                    }
                    return found;
                }, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default).ConfigureAwait(false);
            }
            if (found < 0) {
                throw new McpException(found, "http", "the answer cannot be sent (" + found + "): cut the connection, so that the client comes back");
            }
        }
    }
}
