import fs from 'node:fs'
import path from 'node:path'
import type { Locator, Page } from '@playwright/test'

export type Effort = { clicks: number; keys: number; typed: number }

/** A person's hands on a page: does what they do, and counts it. Keys that are held together count as one, and so does a tap. */
export class Hands {
  readonly effort: Effort = { clicks: 0, keys: 0, typed: 0 }
  private readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async click(target: Locator): Promise<void> {
    this.effort.clicks++
    await target.click()
  }

  /** Presses each of these keys in turn: 'Control+k', 'Enter'. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      this.effort.keys++
      await this.page.keyboard.press(key)
    }
  }

  /** Types words or digits that no one could know beforehand into what has the focus; each character counts, apart from the keys that are commands. */
  async type(text: string): Promise<void> {
    this.effort.typed += [...text].length
    await this.page.keyboard.type(text)
  }
}

/** The jobs that docs/everyday-jobs.md lists, by name, with what it says they take. */
export function documentedJobs(): Map<string, Effort> {
  const text = fs.readFileSync(path.join(import.meta.dirname, '../../docs/everyday-jobs.md'), 'utf8')
  const rows = text.matchAll(/^\| *\d+ *\| *([^|]+?) *\|[^|\n]*\| *(\d+) *\| *(\d+) *\| *(\d+) *\|$/gm)
  return new Map(
    [...rows].map(([, name, clicks, keys, typed]) => [name!, { clicks: Number(clicks), keys: Number(keys), typed: Number(typed) }]),
  )
}
