// The executable: serves the operations of the exec plugin.
import { serve } from "@pluggableharness/plugin";
import { bash } from "./bash.ts";
import { execKill } from "./exec-kill.ts";
import { execList } from "./exec-list.ts";
import { execRead } from "./exec-read.ts";
import { execStart } from "./exec-start.ts";
import { execWrite } from "./exec-write.ts";
import { exec } from "./plugin.ts";

serve(exec, [bash, execStart, execWrite, execRead, execList, execKill]);
