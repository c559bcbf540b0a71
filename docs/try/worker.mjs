// Python in a worker: the page stays alive while it runs, and can stop it.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const PRELUDE = `
import sys, traceback
import gridkit
from js import post

def show(value):
    """Play a value that moves, draw one that has a picture, print any other."""
    if hasattr(value, "to_html"):
        post("page", value.to_html())
    elif hasattr(value, "to_svg"):
        post("picture", value.to_svg(cell_size=32))
    else:
        print(value)

def run_program(text):
    try:
        exec(compile(text, "<program>", "exec"), {"__name__": "__main__", "show": show})
    except gridkit.GridkitError as error:
        post("error", f"{type(error).__name__}: {error}")
    except BaseException as error:
        frames = [each for each in traceback.extract_tb(error.__traceback__)
                  if each.filename == "<program>"]
        where = f"line {frames[-1].lineno}: " if frames else ""
        post("error", where + "".join(traceback.format_exception_only(error)).strip())
`;

self.post = (kind, text) => postMessage([kind, text]);
let runProgram;
try {
  const python = await loadPyodide();
  python.setStdout({ batched: text => postMessage(["text", text]) });
  python.setStderr({ batched: text => postMessage(["error", text]) });
  python.unpackArchive(await (await fetch("./gridkit.whl")).arrayBuffer(), "wheel");
  python.runPython(PRELUDE);
  runProgram = python.globals.get("run_program");
  postMessage(["ready", ""]);
} catch (error) {
  postMessage(["failed", String(error)]);
}
onmessage = ({ data }) => {
  runProgram(data);
  postMessage(["ready", ""]);
};
