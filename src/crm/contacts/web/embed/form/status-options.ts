const known = [
  { value: 'new', label: 'New' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
]

/** The statuses a contact may have; any other one that it was imported with is offered too. */
export const statusOptions = (current: string): { value: string; label: string }[] =>
  current === '' || known.some(({ value }) => value === current) ? known : [...known, { value: current, label: current }]
