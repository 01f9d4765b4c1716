package main

import (
	"bytes"
	"encoding/binary"
	"io"
	"log"
	"net"
	"sync"
)

const (
	headerSize     = 16
	opMsg          = 2013
	moreToCome     = 1 << 1
	maxMessageSize = 48_000_000
)

// FerretDB 1 looks for a document and writes it in two steps, so that of two conditional writes at once both may succeed. MongoDB writes a
// document in one step. Here writes take turns, which comes to the same.
var turn sync.Mutex

var writes = map[string]bool{"insert": true, "update": true, "delete": true, "findAndModify": true}

// forward hands each message that comes in to the server behind the socket, and its reply back.
func forward(listener net.Listener, socket string) {
	for {
		client, err := listener.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go func() {
			defer client.Close()
			server, err := net.Dial("unix", socket)
			if err != nil {
				return
			}
			defer server.Close()
			for exchange(client, server) == nil {
			}
		}()
	}
}

func exchange(client, server net.Conn) error {
	request, err := readMessage(client)
	if err != nil {
		return err
	}
	reply, err := ask(server, request)
	if err != nil {
		return err
	}
	_, err = client.Write(reply)
	return err
}

func ask(server net.Conn, request []byte) ([]byte, error) {
	command, isAnswered := describe(request)
	if writes[command] {
		turn.Lock()
		defer turn.Unlock()
	}
	if _, err := server.Write(request); err != nil || !isAnswered {
		return nil, err
	}
	return readMessage(server)
}

// describe tells the name of a message's command, which is the name of the first field of its first section, and whether it asks for a reply.
func describe(message []byte) (command string, isAnswered bool) {
	const flags, sectionKind, firstName = headerSize, headerSize + 4, headerSize + 4 + 1 + 4 + 1
	if binary.LittleEndian.Uint32(message[12:]) != opMsg || len(message) < firstName || message[sectionKind] != 0 {
		return "", true
	}
	name, _, _ := bytes.Cut(message[firstName:], []byte{0})
	return string(name), binary.LittleEndian.Uint32(message[flags:])&moreToCome == 0
}

func readMessage(connection net.Conn) ([]byte, error) {
	header := make([]byte, headerSize)
	if _, err := io.ReadFull(connection, header); err != nil {
		return nil, err
	}
	size := binary.LittleEndian.Uint32(header)
	if size < headerSize || size > maxMessageSize {
		return nil, io.ErrUnexpectedEOF
	}
	message := make([]byte, size)
	copy(message, header)
	_, err := io.ReadFull(connection, message[headerSize:])
	return message, err
}
