import type { FieldValues, Resolver } from 'react-hook-form'

/** A form's checks, loaded with the first submit: a page that must start fast does not carry Zod and the contracts. */
export function lazyResolver<In extends FieldValues, Out>(load: () => Promise<Resolver<In, unknown, Out>>): Resolver<In, unknown, Out> {
  return async (values, context, options) => (await load())(values, context, options)
}
