import type { Page } from '@playwright/test'

/** Waits until nothing fades or moves any more, such as a message that comes or goes: half seen, it has less contrast. What turns for ever is left alone. */
export const still = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
