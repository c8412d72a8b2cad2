/** The staff roles (product decision "Who uses it"). */
export const roles = ['admin', 'sales_rep', 'provider', 'front_desk', 'billing'] as const
export type Role = (typeof roles)[number]

/** As people say them. */
export const roleNames: Record<Role, string> = {
  admin: 'Administrator',
  sales_rep: 'Sales',
  provider: 'Provider',
  front_desk: 'Front desk',
  billing: 'Billing',
}

/** `pending`: may do nothing yet. `disabled`: may do nothing any more. */
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
  /** Where a program acts for the account: the key that it showed, and what the key is limited to. */
  apiKey?: { id: string; scopes: readonly string[] }
}
