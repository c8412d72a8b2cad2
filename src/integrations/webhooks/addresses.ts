import { BlockList, isIP } from 'node:net'

/** IPv4 that is not on the public internet (IANA special-purpose registry). */
const privateV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
] as const
/** Within 2000::/3, what is special or carries an IPv4 address that could be anything: Teredo and others, documentation, 6to4. */
const specialV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'] as const

const listOf = (ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const range of ranges) {
    const [address, bits] = range.split('/')
    list.addSubnet(address!, Number(bits), family)
  }
  return list
}
const refusedV4 = listOf(privateV4, 'ipv4')
const refusedV6 = listOf(specialV6, 'ipv6')
const publicV6 = listOf(['2000::/3'], 'ipv6')
const loopback = listOf(['127.0.0.0/8'], 'ipv4')

/** Whether an IP address is one of the public internet: not this machine, not the network around it, nothing reserved. */
export function isPublic(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !refusedV4.check(address, 'ipv4')
  return family === 6 && publicV6.check(address, 'ipv6') && !refusedV6.check(address, 'ipv6')
}

/** Whether it is this machine, which a setting may allow. */
export const isLoopback = (address: string): boolean =>
  isIP(address) === 4 ? loopback.check(address, 'ipv4') : isIP(address) === 6 && address === '::1'

/** The address that a URL names outright, without the brackets of IPv6; null for a name. */
export function literalOf({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? null : bare
}
