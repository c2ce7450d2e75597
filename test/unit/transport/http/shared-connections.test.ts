import { describe, expect, it } from 'vitest'
import { connect } from '../../../../src/index.ts'
import { answerTo } from '../../../support/legacy-http.ts'
import { failure, json, open, request, result, serve } from './stand-in.ts'
import { serveProxy } from './stand-in-proxy.ts'

describe('clients of one origin', () => {
  it('use one connection, one after the other', async () => {
    const { url, seen } = await serve(({ message }, res) => json(res, result(message?.id)))
    const one = await open({ url })
    const other = await open({ url: `${url}?other` })
    for (const { connection } of [one, other, one]) await connection.exchange(request(1))
    expect(new Set(seen.map(({ socket }) => socket.remotePort)).size).toBe(1)
  })

  it('lose nothing when one of them is closed: neither what runs nor what is kept', async () => {
    let answer = (): void => {}
    const { url, seen } = await serve(({ message }, res) => {
      if (message?.id === 'held') answer = () => json(res, result('held'))
      else if (message?.id !== 'cut') json(res, result(message?.id))
    })
    const leaving = await open({ url })
    const staying = await open({ url })
    const held = staying.connection.exchange(request('held'))
    const cut = failure(leaving.connection.exchange(request('cut')))
    await staying.connection.exchange(request(1))
    await expect.poll(() => seen.length).toBe(3)
    await leaving.connection.close()
    expect(await cut).toMatchObject({ outcome: 'unknown' })
    answer()
    expect(await held).toMatchObject({ result: { ok: true } })
    const before = new Set(seen.map(({ socket }) => socket.remotePort))
    await Promise.all([2, 3].map((id) => staying.connection.exchange(request(id))))
    expect(seen.slice(3).filter(({ socket }) => !before.has(socket.remotePort))).toEqual([])
  })

  it('leave no connection when the last is closed, in whatever order', async () => {
    const { url, sockets } = await serve(({ message }, res) => json(res, result(message?.id)))
    const [one, two, three] = [await open({ url }), await open({ url }), await open({ url })]
    await Promise.all([one, two, three].map(({ connection }) => connection.exchange(request(1))))
    expect(sockets.size).toBe(3)
    for (const { connection } of [two, one]) await Promise.all([connection.close(), connection.close()])
    await three.connection.exchange(request(2))
    await three.connection.close()
    await expect.poll(() => sockets.size).toBe(0)
    const again = await open({ url })
    expect(await again.connection.exchange(request(1))).toMatchObject({ result: { ok: true } })
  })

  it('never use the connection of one that goes through a proxy', async () => {
    const { url, seen } = await serve(({ message }, res) => json(res, result(message?.id)))
    const proxy = await serveProxy()
    const through = await open({ url, proxy: proxy.url })
    const straight = await open({ url, proxy: false })
    for (const { connection } of [through, straight, through, straight]) await connection.exchange(request(1))
    expect(seen.map(({ socket }) => socket.remotePort === seen[0]?.socket.remotePort)).toEqual([true, false, true, false])
  })
})

it('a handshake and the calls after it need one connection', async () => {
  const { url, seen } = await serve(({ message }, res) => {
    const answer = message === undefined ? undefined : answerTo(message)
    if (answer === undefined) res.writeHead(202).end()
    else json(res, answer)
  })
  const client = await connect(url, { era: 'legacy', logger: false })
  await client.ping()
  await client.ping()
  expect(seen.length).toBe(4)
  expect(new Set(seen.map(({ socket }) => socket.remotePort)).size).toBe(1)
  await client.close()
})
