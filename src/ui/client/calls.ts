import { type AnyContractRouter, ContractProcedure, type HTTPMethod, type HTTPPath } from '@orpc/contract'
import { type Routes, routes } from 'virtual:api-routes'

function toContract(group: Routes): AnyContractRouter {
  return Object.fromEntries(
    Object.entries(group).map(([name, call]) => {
      if (typeof call !== 'string') return [name, toContract(call)]
      const [method, path] = call.split(' ') as [HTTPMethod, HTTPPath]
      return [name, new ContractProcedure({ errorMap: {}, meta: {}, route: { method, path } })]
    }),
  )
}

/** The contract as far as a client needs it: the method and path of each call. */
export const calls = toContract(routes)
