import type { Page } from '@playwright/test'

/** Waits until what the page knows is drawn: its fonts are there, and two frames are over. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready
    for (let frames = 0; frames < 2; frames++) await new Promise((resolve) => requestAnimationFrame(resolve))
  })
}
