import type { Browser } from '@playwright/test'
import { connectQuickBooks, quickbooksSettings } from '../../test/billing/point-of-sale.ts'
import { clientOf } from '../../test/server.ts'
import { openClinic } from '../clinic/clinic.ts'
import { signIn } from '../clinic/session.ts'
import { startBooks, startServer } from '../load/processes.ts'
import type { Options } from '../options.ts'
import type { Row } from '../report.ts'
import { launchBrowser } from './browser.ts'
import { measureInteractions } from './interactions.ts'
import { measureLoads } from './loads.ts'
import { measureMemory } from './memory.ts'

const contacts = 2_500
const slowed = 4

type Part = (browser: Browser, url: string, cookie: string, slowed: number) => Promise<Row[]>
const parts: Record<string, Part> = { loads: measureLoads, interactions: measureInteractions, memory: measureMemory }

/** Measures what a person feels in the browser: first loads, interactions, and memory over many navigations. */
export async function benchWeb({ only }: Options): Promise<Row[]> {
  const clinic = await openClinic(contacts)
  const books = await startBooks()
  const server = await startServer(clinic.ownerUrl, quickbooksSettings(books.url))
  const browser = await launchBrowser()
  try {
    const cookie = await signIn(clinic.ownerUrl, server.url)
    await connectQuickBooks(clientOf(server.url, cookie))
    const rows: Row[] = []
    for (const [name, measure] of Object.entries(parts))
      if (name.includes(only)) rows.push(...(await measure(browser, server.url, cookie, slowed)))
    return rows
  } finally {
    await browser.close()
    await server.stop()
    await books.stop()
    await clinic.close()
  }
}
