// The executable: serves the operations of the search plugin.
import { serve } from "@pluggableharness/plugin";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { search } from "./plugin.ts";

serve(search, [glob, grep]);
