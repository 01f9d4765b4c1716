// The engines of the hosts with nothing of ours in them, each in a process of its own: what a
// request costs before we see it.
import { createServer } from 'node:http';
import { Readable } from 'node:stream';

import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import express from 'express';

/** Reads what was sent and refuses it. */
const refuse = (req, res) => req.resume().on('end', () => res.writeHead(404).end());

async function nest(adapter) {
  class App {}
  Module({})(App);
  const app = await NestFactory.create(App, adapter, { logger: false });
  await app.init();
  await adapter.getInstance().ready?.();
  return app.getHttpServer();
}

async function asWeb(req, res) {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers))
    for (const one of [value].flat()) headers.append(name, one);
  const body = req.method === 'GET' ? {} : { body: Readable.toWeb(req), duplex: 'half' };
  const request = new Request(`http://app.example.com${req.url}`, {
    method: req.method,
    headers,
    ...body,
  });
  await request.arrayBuffer();
  res.writeHead(new URL(request.url).pathname ? 404 : 500).end();
}

const OPEN = {
  express: async () => createServer(express().use(refuse)),
  wired: async () =>
    createServer(express().use(express.json(), (_req, res) => void res.sendStatus(404))),
  'nest-express': () => nest(new ExpressAdapter()),
  'nest-fastify': () => nest(new FastifyAdapter()),
  remix: async () => createServer((req, res) => void asWeb(req, res)),
  'by-hand': async () => createServer(refuse),
};

const server = await OPEN[process.argv[2]]();
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', ({ id }) => {
  const { user, system } = process.cpuUsage();
  process.send({ id, answer: user + system });
});
process.on('disconnect', () => process.exit());
