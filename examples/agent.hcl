# An agent that may read this checkout and one web site freely, and changes files only where a person approves.

required_providers {
  filesystem = {
    source  = "github.com/pluggableharness/plugin-tool-filesystem"
    version = "~> 0.1"
  }
  search = {
    source  = "github.com/pluggableharness/plugin-tool-search"
    version = "~> 0.1"
  }
  web = {
    source  = "github.com/pluggableharness/plugin-tool-web"
    version = ">= 0.1, < 1.0"
  }
}

provider "filesystem" {
  roots = ["."]
  hide  = [".env", "node_modules"]
}

provider "search" {
  roots = ["."]
  hide  = [".env"]
}

provider "web" {
  allowed_domains = ["nodejs.org"]

  # With a key, web_search works too. A secret is never written here, only the name of its variable:
  # search {
  #   backend = "brave"
  #   api_key = env("BRAVE_API_KEY")
  # }
}

policy "reads" {
  match  = { kind = "data_source" }
  action = "allow"
}

policy "changes" {
  match  = { kind = "resource", provider = "filesystem" }
  action = "ask"
}

# harness run examples/agent.hcl --profile reader
agent_profile "reader" {
  tools = ["filesystem.read_*", "filesystem.list_*", "search.*"]
}
