using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Threading;
using System.Threading.Tasks;
using Libmcp;

/// <summary>
/// Runs the tests: each static method of a class "...Tests" whose name begins with "Test" or ends with "Test". A part of a name as the
/// argument chooses among them. A test that takes too long ends the run.
/// </summary>
internal static class Tests {
    private const int LimitMs = 120000;
    internal static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private static int Main(string[] arguments) {
        int failed = 0, ran = 0;
        string wanted = arguments.Length == 0 ? "" : arguments[0];
        foreach (Type type in Assembly.GetExecutingAssembly().GetTypes().Where(it => it.Name.EndsWith("Tests") && it != typeof(Tests)).OrderBy(it => it.Name)) {
            foreach (MethodInfo test in type.GetMethods(BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.DeclaredOnly)
                .Where(it => it.Name.StartsWith("Test") && it.GetParameters().Length == 0).OrderBy(it => it.Name)) {
                if ((type.Name + "." + test.Name).Contains(wanted)) {
                    ran++;
                    failed += Run(type.Name + "." + test.Name, test) ? 0 : 1;
                }
            }
        }
        Console.WriteLine(ran + " tests, " + failed + " failed");
        return failed == 0 && ran > 0 ? 0 : 1;
    }

    private static bool Run(string name, MethodInfo test) {
        Console.WriteLine("=== RUN   " + name);
        Stopwatch watch = Stopwatch.StartNew();
        Exception failure = null;
        Thread thread = new Thread(() => {
            try {
                Task task = test.Invoke(null, null) as Task;
                if (task != null) {
                    task.GetAwaiter().GetResult();
                }
            } catch (TargetInvocationException thrown) {
                failure = thrown.InnerException;
            } catch (Exception thrown) {
                failure = thrown;
            }
        }) { IsBackground = true };
        thread.Start();
        if (!thread.Join(LimitMs)) {
            Console.WriteLine("    it hangs\n--- FAIL: " + name);
            Console.Out.Flush();
            Process.GetCurrentProcess().Kill();
        }
        if (failure != null) {
            Console.WriteLine("    " + failure);
        }
        Console.WriteLine("--- {0}: {1} ({2:0.00}s)", failure == null ? "PASS" : "FAIL", name, watch.Elapsed.TotalSeconds);
        return failure == null;
    }

    internal static void Check(bool holds, object what) {
        if (!holds) {
            throw new Exception("it does not hold: " + what);
        }
    }

    internal static void Equal(object found, object wanted) => Check(Equals(found, wanted), found + " is not " + wanted);

    internal static void Contains(string text, string part) => Check(text != null && text.Contains(part), "\"" + part + "\" is not in: " + text);

    internal static async Task<McpException> Fails(Status status, Func<Task> action) {
        try {
            await Soon(action());
        } catch (McpException failure) {
            Equal(failure.Status, status);
            return failure;
        }
        throw new Exception("it did not fail with " + status);
    }

    internal static McpException Fails(Status status, Action action) =>
        Fails(status, () => { action(); return Task.FromResult(true); }).GetAwaiter().GetResult();

    /// <summary>Waits for a task, and fails if that takes too long.</summary>
    internal static async Task Soon(Task task) {
        if (await Task.WhenAny(task, Task.Delay(Patience)) != task) {
            throw new Exception("too late");
        }
        await task;
    }

    internal static async Task<T> Soon<T>(Task<T> task) {
        await Soon((Task)task);
        return task.Result;
    }

    /// <summary>Waits for what another thread or process is about to do, and fails if that takes too long.</summary>
    internal static void Until(string what, Func<bool> holds) {
        Stopwatch watch = Stopwatch.StartNew();
        while (!holds()) {
            Check(watch.Elapsed < Patience, "too late: " + what);
            Thread.Yield();
        }
    }

    internal static string Variable(string name) {
        string value = Environment.GetEnvironmentVariable(name);
        Check(!string.IsNullOrEmpty(value), name + " names nothing; run `cargo xtask test --only csharp`");
        return value;
    }

    internal static Dictionary<string, object> Program(string variable, params string[] arguments) =>
        new Dictionary<string, object> { { "command", Variable(variable) }, { "args", arguments } };

    /// <summary>The example server of the library.</summary>
    internal static Dictionary<string, object> Example(params string[] arguments) => Program("MCP_EXAMPLE_SERVER", arguments);

    internal static Dictionary<string, object> With(this Dictionary<string, object> config, string name, object value) {
        config[name] = value;
        return config;
    }

    /// <summary>A program of C# beside this one, as a server.</summary>
    internal static string Beside(string name) => Path.Combine(AppDomain.CurrentDomain.BaseDirectory, name);

    internal static bool Runs(long pid) {
        try {
            return !File.ReadAllText("/proc/" + pid + "/stat").Contains(") Z ");
        } catch (IOException) {
            // It has ended, perhaps just now.
            return false;
        }
    }
}

/// <summary>Runs a function for each report on the thread that has it, unlike Progress of the runtime.</summary>
internal sealed class Reports : IProgress<Json> {
    private readonly Action<Json> function;

    internal Reports(Action<Json> function) {
        this.function = function;
    }

    public void Report(Json value) => function(value);
}
