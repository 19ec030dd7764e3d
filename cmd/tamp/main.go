// Command tamp serves the gateway, the API and the playground: tamp serve --help lists the settings. On Cloudflare it
// is a Worker. All of that is in package worker; package cli has the other commands.
package main

import "tamp/worker"

func main() {
	runCommand()
	worker.Main()
}
