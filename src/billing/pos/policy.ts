import { mayUse, permissions } from '../../kernel/access/policy.ts'
import type { Actor } from '../../kernel/access/rules.ts'
import type { ReceiptKind } from '../payments/contract.ts'

/** Who may try a pending receipt again, or give it up: anyone who takes payments; of a refund, whoever refunds. */
export const maySettle = (actor: Actor | null, kind: ReceiptKind): boolean => kind === 'sale' || mayUse(permissions['pos.refund'], actor)
