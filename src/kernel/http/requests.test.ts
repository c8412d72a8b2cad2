import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countedAs } from './requests.ts'

describe('issue 9: by what a network address is counted', () => {
  it.each([
    [null, 'unknown'],
    ['unknown', 'unknown'],
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:DB8:0000:0000:ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['1::8', '1:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['2001:db8::1::2', '2001:db8::1::2'],
  ])('%s as %s', (address, counted) => {
    expect(countedAs(address)).toBe(counted)
  })

  const half = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 4, maxLength: 4 })
  const written = (groups: number[], digits: number) => groups.map((group) => group.toString(16).padStart(digits, '0')).join(':')
  const isShared = (network: number[]) => network.every((group) => group === 0) // where IPv4 lies as well

  it('every address of a /64, however it is written, as one; of another /64 as another', () => {
    fc.assert(
      fc.property(half, half, half, half, (network, other, host, host2) => {
        fc.pre(!isShared(network) && !isShared(other))
        const counted = countedAs(written([...network, ...host], 4))
        expect(countedAs(written([...network, ...host2], 1).toUpperCase())).toBe(counted)
        expect(countedAs(new URL(`http://[${written([...network, ...host], 1)}]`).hostname.slice(1, -1))).toBe(counted)
        expect(countedAs(written([...other, ...host], 4)) === counted).toBe(String(other) === String(network))
      }),
    )
  })

  it('IPv4 as itself, within IPv6 too', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(countedAs(address)).toBe(address)
        expect(countedAs(`::ffff:${address}`)).toBe(address)
      }),
    )
  })

  it('whatever is sent as an address, without failing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV6()), (address) => {
        expect(countedAs(address)).toEqual(expect.any(String))
      }),
    )
  })
})
