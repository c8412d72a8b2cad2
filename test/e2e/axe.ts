import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * The rules of WCAG 2.2 AA that machines can check and that are broken here, each with the first element that breaks it. Looks once nothing moves;
 * a message may begin to fade while it looks, so that what it found then is looked for again. `within`: a selector, for a part of the page.
 */
export async function brokenRules(page: Page, within?: string): Promise<string[]> {
  const look = async () => {
    await still(page)
    // What is well is not written down, and no further page is opened for the look: both take longer than the rules.
    const axe = new AxeBuilder({ page })
      .setLegacyMode()
      .options({ resultTypes: ['violations'] })
      .withTags(wcag)
    const { violations } = await (within ? axe.include(within) : axe).analyze()
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  }
  const first = await look()
  return first.length > 0 ? look() : first
}

/** Waits until nothing fades or moves any more, such as a message that comes or goes: half seen, it has less contrast. What turns for ever is left alone. */
const still = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
