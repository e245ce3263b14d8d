# An agent that may read this checkout freely and changes it only where a person approves.

required_providers {
  filesystem = {
    source  = "github.com/pluggableharness/plugin-tool-filesystem"
    version = "~> 0.1"
  }
}

provider "filesystem" {
  roots = ["."]
  hide  = [".env", "node_modules"]
}

policy "reads" {
  match  = { kind = "data_source" }
  action = "allow"
}

policy "changes" {
  match  = { kind = "resource", provider = "filesystem" }
  action = "ask"
}
