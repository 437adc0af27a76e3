# Maven: a program that names the library as its dependency, compiled and run
mkdir repository && tar -xzf /release/libmcp-*-maven.tar.gz -C repository
mkdir .m2 && cp -r /index/m2 .m2/repository
mkdir -p program/src/main/java && cd program
cat >pom.xml <<'END'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.example</groupId>
  <artifactId>program</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>25</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <repositories>
    <repository><id>release</id><url>file:///root/repository</url></repository>
  </repositories>
  <dependencies>
    <dependency><groupId>io.libmcp</groupId><artifactId>libmcp</artifactId><version>0.1.0</version></dependency>
  </dependencies>
</project>
END
cat >src/main/java/Hello.java <<'END'
import io.libmcp.Client;
import java.util.Map;

public class Hello {
    public static void main(String[] arguments) {
        try (Client client = Client.open(arguments[0])) {
            System.out.println(client.callTool("echo", Map.of("text", "Hello from Maven")).text());
        }
    }
}
END
. /index/mvn.sh
mvn --batch-mode --offline -Daether.offline.protocols=file $RESOURCES $COMPILE $RUN -Dexec.mainClass=Hello -Dexec.args="$SERVER"
