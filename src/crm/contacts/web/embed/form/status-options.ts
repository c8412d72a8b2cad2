const known = [
  { value: 'new', label: 'New' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
]

/** The status options, with the contact's imported status if it is another one. */
export const statusOptions = (current: string): { value: string; label: string }[] =>
  current === '' || known.some(({ value }) => value === current) ? known : [...known, { value: current, label: current }]
