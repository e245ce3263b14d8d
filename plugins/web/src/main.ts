// The executable: serves the operations of the web plugin.
import { serve } from "@pluggableharness/plugin";
import { web } from "./plugin.ts";
import { webFetch } from "./web-fetch.ts";
import { webSearch } from "./web-search.ts";

serve(web, [webFetch, webSearch]);
