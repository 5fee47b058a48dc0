@echo off
rem Starts Nescio on Windows. Needs a Java runtime of version 17 or later: JAVA_HOME, or java on the path.
setlocal
set JAVA=java
if defined JAVA_HOME set JAVA="%JAVA_HOME%\bin\java"
rem Java finds out whether somebody looks at the output: names in data are shown there without control characters.
%JAVA% -XX:+UseParallelGC -Djdk.console=java.base -Dnescio.terminal.out=auto %NESCIO_JAVA_OPTS% -cp "%~dp0..\lib\*" dev.nescio.cli.Nescio %*
exit /b %ERRORLEVEL%
