/** A suggested first and last name for an unknown sender. */
export function namesOf(name: string | null, address: string): { firstName: string; lastName: string } {
  const called = (name ?? '').replace(/["<>]/g, ' ').trim().replace(/\s+/g, ' ')
  if (!address.includes('@') && called === '') return { firstName: '', lastName: '' }
  if (called === '' || called.includes('@')) return { firstName: '', lastName: address.slice(0, address.lastIndexOf('@')) || address }
  const [last, first] = called.split(/,\s*/)
  if (last && first) return { firstName: first, lastName: last }
  const words = called.split(' ')
  return { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1)! }
}
