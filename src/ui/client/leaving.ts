/** While someone is signing out, what the page would ask is held back: the server refuses it, and the page is about to go. */
let stay: PromiseWithResolvers<void> | null = null

export const isLeaving = (): boolean => stay !== null

/** Resolves at once, or when it turns out that the person stays. */
export const whileStaying = (): Promise<void> | undefined => stay?.promise

export function beginLeaving(): void {
  stay ??= Promise.withResolvers()
}

export function stayAfterAll(): void {
  stay?.resolve()
  stay = null
}
