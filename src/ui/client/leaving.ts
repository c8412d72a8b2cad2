/** While signing out, requests of the page are held back: the server would refuse them, and the page is about to close. */
let stay: PromiseWithResolvers<void> | null = null

export const isLeaving = (): boolean => stay !== null

/** Resolves at once, or when signing out is cancelled. */
export const whileStaying = (): Promise<void> | undefined => stay?.promise

export function beginLeaving(): void {
  stay ??= Promise.withResolvers()
}

export function cancelLeaving(): void {
  stay?.resolve()
  stay = null
}
