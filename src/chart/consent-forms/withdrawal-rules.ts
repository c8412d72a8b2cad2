import type { PhotoScope } from './definition-rules.ts'
import type { ConsentStatus } from './status-rules.ts'

interface Withdrawable {
  scopes: PhotoScope[]
  withdrawnScopes: PhotoScope[]
}
interface Withdrawal {
  /** Nothing is left to withdraw of what was asked for. */
  isRepeated: boolean
  change: { status: ConsentStatus; withdrawnScopes: PhotoScope[] }
  /** What is withdrawn now; null: the whole consent. */
  scopes: PhotoScope[] | null
}

/**
 * What a withdrawal changes. `scopes`: the uses of photos that it reaches; null: the whole consent. The last use that is withdrawn withdraws
 * the whole. Null: the patient had not agreed to one of them.
 */
export function withdrawalOf({ scopes: agreed, withdrawnScopes }: Withdrawable, scopes: readonly PhotoScope[] | null): Withdrawal | null {
  if (scopes !== null && !scopes.every((scope) => agreed.includes(scope))) return null
  const all = agreed.filter((scope) => scopes === null || scopes.includes(scope) || withdrawnScopes.includes(scope))
  const isWhole = scopes === null || all.length === agreed.length
  return {
    isRepeated: !isWhole && all.length === withdrawnScopes.length,
    change: { status: isWhole ? 'withdrawn' : 'signed', withdrawnScopes: all },
    scopes: isWhole ? null : all.filter((scope) => !withdrawnScopes.includes(scope)),
  }
}
