import type { Role } from '../src/kernel/access/rules.ts'

export const demoPassword = 'refyne-demo-2026'

type Member = { firstName: string; lastName: string; email: string; role: Role }

/** The demo clinic's staff: one of each role, and a second sales rep. */
export const staff = {
  admin: { firstName: 'Helena', lastName: 'Marchetti', email: 'admin@refyne.example', role: 'admin' },
  mireille: { firstName: 'Mireille', lastName: 'Daoust', email: 'sales@refyne.example', role: 'sales_rep' },
  devon: { firstName: 'Devon', lastName: 'Achebe', email: 'sales2@refyne.example', role: 'sales_rep' },
  provider: { firstName: 'Dr. Ngozi', lastName: 'Okafor', email: 'provider@refyne.example', role: 'provider' },
  frontDesk: { firstName: 'Theo', lastName: 'Lindgren', email: 'frontdesk@refyne.example', role: 'front_desk' },
  billing: { firstName: 'Priscille', lastName: 'Nault', email: 'billing@refyne.example', role: 'billing' },
} as const satisfies Record<string, Member>

export type StaffKey = keyof typeof staff
