import type { Page } from '@playwright/test'

/** Waits until the page has rendered: fonts are loaded and two frames have passed. */
export async function waitForRender(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready
    for (let frames = 0; frames < 2; frames++) await new Promise((resolve) => requestAnimationFrame(resolve))
  })
}
