// Command ferretdb serves MongoDB's protocol on an address of this machine and keeps what it is told in SQLite files.
//
//	ferretdb 127.0.0.1:27390 /a/folder
//
// FerretDB's own command needs a version file that the Go module does not carry; embedded in a program of ours it does not.
package main

import (
	"context"
	"log"
	"log/slog"
	"net"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: ferretdb ADDRESS FOLDER")
	}
	address, folder := os.Args[1], os.Args[2]
	listener, err := net.Listen("tcp", address)
	if err != nil {
		log.Fatal(err)
	}
	socket := filepath.Join(folder, "socket")
	// Left behind by a server that was killed.
	_ = os.Remove(socket)
	data := url.URL{Scheme: "file", Path: folder + "/"}
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{Unix: socket},
		Handler:   "sqlite",
		SQLiteURL: data.String(),
		Logger:    slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
	})
	if err != nil {
		log.Fatal(err)
	}
	go forward(listener, socket)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := server.Run(ctx); err != nil {
		log.Fatal(err)
	}
}
