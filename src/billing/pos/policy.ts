import { mayUse, permissions } from '../../kernel/access/policy.ts'
import type { Actor } from '../../kernel/access/rules.ts'
import type { ReceiptKind } from '../payments/contract.ts'

/** Who may retry or cancel a pending receipt: users who take payments, or for a refund, users who may refund. */
export const maySettle = (actor: Actor | null, kind: ReceiptKind): boolean => kind === 'sale' || mayUse(permissions['pos.refund'], actor)
