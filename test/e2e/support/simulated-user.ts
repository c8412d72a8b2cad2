import fs from 'node:fs'
import path from 'node:path'
import type { Locator, Page } from '@playwright/test'

export type Effort = { clicks: number; keys: number; typed: number }

/** Acts on a page as a user and counts the effort. A key combination counts as one key, and a tap as one click. */
export class SimulatedUser {
  readonly effort: Effort = { clicks: 0, keys: 0, typed: 0 }
  private readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async click(target: Locator): Promise<void> {
    this.effort.clicks++
    await target.click()
  }

  /** Presses these keys in turn, such as 'Control+k' or 'Enter'. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      this.effort.keys++
      await this.page.keyboard.press(key)
    }
  }

  /** Types unpredictable text into the focused field; each character counts, separately from command keys. */
  async type(text: string): Promise<void> {
    this.effort.typed += [...text].length
    await this.page.keyboard.type(text)
  }
}

/** The names of the jobs in docs/guide/everyday-jobs.md. */
export function documentedJobs(): string[] {
  const text = fs.readFileSync(path.join(import.meta.dirname, '../../../docs/guide/everyday-jobs.md'), 'utf8')
  return [...text.matchAll(/^\| ([^|]+) \| [^|\n]+ \|$/gm)].map(([, name]) => name!).filter((name) => !/^(Job|-+)$/.test(name))
}
