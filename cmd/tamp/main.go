// Command tamp serves the gateway, the API and the playground: tamp serve --help lists the settings. On Cloudflare it
// is a Worker. All of it is in package worker; this folder gives the program its name.
package main

import "tamp/worker"

func main() { worker.Main() }
