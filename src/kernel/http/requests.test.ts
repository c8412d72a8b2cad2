import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rateLimitKey } from './requests.ts'

describe('rate limit keys of network addresses', () => {
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
    expect(rateLimitKey(address)).toBe(counted)
  })

  const half = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 4, maxLength: 4 })
  const written = (groups: number[], digits: number) => groups.map((group) => group.toString(16).padStart(digits, '0')).join(':')
  const isShared = (network: number[]) => network.every((group) => group === 0) // contains IPv4-mapped addresses

  it('are the same for all addresses of a /64, in any notation, and differ between networks', () => {
    fc.assert(
      fc.property(half, half, half, half, (network, other, host, host2) => {
        fc.pre(!isShared(network) && !isShared(other))
        const counted = rateLimitKey(written([...network, ...host], 4))
        expect(rateLimitKey(written([...network, ...host2], 1).toUpperCase())).toBe(counted)
        expect(rateLimitKey(new URL(`http://[${written([...network, ...host], 1)}]`).hostname.slice(1, -1))).toBe(counted)
        expect(rateLimitKey(written([...other, ...host], 4)) === counted).toBe(String(other) === String(network))
      }),
    )
  })

  it('are the address itself for IPv4, also within IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(rateLimitKey(address)).toBe(address)
        expect(rateLimitKey(`::ffff:${address}`)).toBe(address)
      }),
    )
  })

  it('never fail, whatever the address', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV6()), (address) => {
        expect(rateLimitKey(address)).toEqual(expect.any(String))
      }),
    )
  })
})
