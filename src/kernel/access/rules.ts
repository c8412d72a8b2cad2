/** The staff roles (product decision "Who uses it"). */
export const roles = ['admin', 'sales_rep', 'provider', 'front_desk', 'billing'] as const
export type Role = (typeof roles)[number]

/** Names for the interface. */
export const roleNames: Record<Role, string> = {
  admin: 'Administrator',
  sales_rep: 'Sales',
  provider: 'Provider',
  front_desk: 'Front desk',
  billing: 'Billing',
}

/** `pending`: not approved yet. `disabled`: no longer has access. */
export const accountStatuses = ['pending', 'active', 'disabled'] as const
export type AccountStatus = (typeof accountStatuses)[number]

/** Who acts: an account as the server knows it, never as the client claims. */
export type Actor = {
  id: string
  sessionId: string
  role: Role
  status: AccountStatus
  name: string
  email: string
  /** If an API client acts for the account: its key and the key's scopes. */
  apiKey?: { id: string; scopes: readonly string[] }
}
