import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * The WCAG 2.2 AA rules checked by axe that the page violates, each with its first element. Runs once animations have ended. A toast may
 * begin to fade during the run, so violations are checked a second time. `within`: a selector for a part of the page.
 */
export async function accessibilityViolations(page: Page, within?: string): Promise<string[]> {
  const analyze = async () => {
    await waitForAnimations(page)
    // Skip passing results and axe's extra page: both take longer than the rules.
    const axe = new AxeBuilder({ page })
      .setLegacyMode()
      .options({ resultTypes: ['violations'] })
      .withTags(wcag)
    const { violations } = await (within ? axe.include(within) : axe).analyze()
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  }
  const first = await analyze()
  return first.length > 0 ? analyze() : first
}

/** Waits until finite animations have ended, such as a toast that appears or fades: half transparent, it has less contrast. */
const waitForAnimations = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const finite = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    await Promise.allSettled(finite.map(({ finished }) => finished))
  })
