# NuGet's package with Mono: its sources and its library. The client that Debian 12 has is older than packages with sources, and says so
{ nuget install Libmcp -Source /release || true; } 2>&1 | grep "requires NuGet client version '4.0' or above"
python3 -m zipfile --extract /release/Libmcp.*.nupkg Libmcp
cat >hello.cs <<'END'
using System;
using Libmcp;

internal static class Hello {
    private static void Main(string[] command) {
        using (Client client = Client.Command(command[0])) {
            Console.WriteLine(client.CallToolAsync("echo", new { text = "Hello from C#" }).Result.Text);
        }
    }
}
END
mcs -out:hello.exe hello.cs Libmcp/contentFiles/cs/any/Libmcp/*.cs
LD_LIBRARY_PATH=Libmcp/runtimes/linux-x64/native mono hello.exe "$SERVER"
