/**
 * The benchmarks. Each prints one row per case with our result and that of a minimal baseline that does the same work, and whether the aims
 * hold. Times depend on the machine, so only 'hostile' fails on its results.
 *
 *   npm run bench -- contacts                            the list, the search, one contact, adding one: at 100,000 and 1,000,000 contacts
 *   npm run bench -- board                                the board: first cards of all columns, with filters, more of a column
 *   npm run bench -- booking                             next available and a month's grid with 20 providers, beside bare SQL: also --rows 1000000 (appointments)
 *   npm run bench -- dashboard                            the dashboard, and its cost for writes
 *   npm run bench -- peers                                the same rows beside PostgREST: lists, search, one contact, adding one
 *   npm run bench -- palette                             the command palette's patients after each key
 *   npm run bench -- inbox                               unread by patient, thread list and badge at 1,000,000 messages
 *   npm run bench -- chart                               a record with 300 notes, 50 forms and 2,000 timeline entries beside its bare SQL
 *   npm run bench -- leads                               leads answered and processed per second; arrival to completion at 100 a second
 *   npm run bench -- import                               `npm run import` of 10,000 and 100,000 patients: time and memory
 *   npm run bench -- mixed                               the event loop's delay at 100 requests a second of all kinds; reads while leads and an import are processed
 *   npm run bench -- documents                           200 documents of 5 MB through the portal: throughput and memory
 *   npm run bench -- photos                              500 uploads of 8 MB, opening a series of 40, lists and gallery at 1,000,000 photos; also --only uploads, opening or queries
 *   npm run bench -- pos                                 sales receipts per second from request to timeline, and our overhead per receipt
 *   npm run bench -- reports                             every report of the last 30 days and of the last year, at 5 interactions a patient
 *   npm run bench -- sequences                           10,000 due steps of sequences by kind beside the same rows in bare SQL, at 5,000,000 past steps
 *   npm run bench -- audit                               pages, filters and access logs of the audit log, and what its indexes cost
 *   npm run bench -- backups                              backups, killed ones, what is lost with a machine and how long a restore takes
 *   npm run bench -- web                                 first loads, latency of interactions, memory over 500 navigations; also --only loads, interactions or memory
 *   npm run bench -- scroll                              frames per second while the list is scrolled, with the processor slowed
 *   npm run bench -- hostile                             files and bodies made to exhaust the server: longest wait of other requests, memory; exit code 1 beyond the limits
 *
 *   --save                        also writes the rows, with the commit and the machine, to bench/history/<commit>-<benchmark>.json
 *   --json                        prints only the rows, as JSON, to standard output
 *   --contacts 100000,1000000     the sizes of the clinics (board, chart, contacts, dashboard, mixed, palette, peers, reports, scroll, backups), or of the files (import)
 *   --rows 100000                 the entries of the audit log, or the appointments (booking)
 *   --leads 5000                  the leads processed while reads are measured, with an import of twice as many patients (mixed)
 *   --seconds 3                   how long each side is measured, three times each (audit, board, contacts, dashboard, palette, peers, leads, pos);
 *                                 the mix runs ten times as long (mixed)
 *   --only 'two words'            the cases whose name contains this (audit, board, chart, contacts, dashboard, hostile, palette, peers, reports),
 *                                 or 'steady' or 'busy' (mixed)
 *
 * Filled databases are kept in the system's temporary folder, or in BENCH_DIR, and reused until the schema changes.
 * BENCH_NODE_FLAGS is passed to our server's Node process, for instance '--cpu-prof --cpu-prof-dir=/tmp/profiles'.
 */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { benchAudit } from './audit/audit.ts'
import { benchBackups } from './backups.ts'
import { benchBoard } from './board.ts'
import { benchBooking } from './booking.ts'
import { benchChart } from './chart.ts'
import { benchContacts } from './contacts.ts'
import { benchDashboard } from './dashboard/dashboard.ts'
import { benchDocuments } from './documents.ts'
import { benchHostile } from './hostile/hostile.ts'
import { benchImport } from './import.ts'
import { benchInbox } from './inbox.ts'
import { benchLeads } from './leads.ts'
import { benchMixed } from './mixed/mixed.ts'
import type { Options } from './options.ts'
import { benchPalette } from './palette.ts'
import { holds, printTable, progress, type Row } from './report.ts'
import { benchPeers } from './peers/peers.ts'
import { benchPhotos } from './photos.ts'
import { benchPos } from './pos.ts'
import { benchReports } from './reports.ts'
import { saveRows } from './save.ts'
import { benchSequences } from './sequences.ts'
import { benchScroll } from './web/scroll.ts'
import { benchWeb } from './web/web.ts'

const benchmarks: Record<string, (options: Options) => Promise<Row[]>> = {
  audit: benchAudit,
  backups: benchBackups,
  board: benchBoard,
  booking: benchBooking,
  chart: benchChart,
  contacts: benchContacts,
  dashboard: benchDashboard,
  palette: benchPalette,
  peers: benchPeers,
  inbox: benchInbox,
  leads: benchLeads,
  mixed: benchMixed,
  hostile: benchHostile,
  import: benchImport,
  documents: benchDocuments,
  photos: benchPhotos,
  pos: benchPos,
  reports: benchReports,
  sequences: benchSequences,
  web: benchWeb,
  scroll: benchScroll,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    contacts: { type: 'string' },
    rows: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '3' },
    leads: { type: 'string', default: '5000' },
    only: { type: 'string', default: '' },
  },
})

const [name = ''] = positionals
const benchmark = benchmarks[name]
if (!benchmark || positionals.length !== 1) stop(`Name one of the benchmarks: ${Object.keys(benchmarks).join(', ')}`)
const defaultSizes: Record<string, string> = { backups: '100000', import: '10000,100000', mixed: '100000' }
const sizes = (values.contacts ?? defaultSizes[name] ?? '100000,1000000').split(',').map(Number)
if (!sizes.every((size) => Number.isSafeInteger(size) && size >= 1_000 && size <= 5_000_000))
  stop('--contacts takes whole numbers from 1000 to 5000000')
const count = Number(values.rows)
if (!Number.isSafeInteger(count) || count < 10_000 || count > 50_000_000) stop('--rows takes a whole number from 10000 to 50000000')
const leads = Number(values.leads)
if (!Number.isSafeInteger(leads) || leads < 100 || leads > 100_000) stop('--leads takes a whole number from 100 to 100000')
const seconds = Number(values.seconds)
if (!(seconds > 0 && seconds <= 600)) stop('--seconds takes a number up to 600')

const rows = await benchmark({ sizes, rows: count, leads, seconds, only: values.only })
if (values.json) console.log(JSON.stringify(rows.map(withHolds), null, 2))
else printTable(rows)
if (values.save) progress(`Saved in ${path.relative(process.cwd(), saveRows(name, rows.map(withHolds)))}`)

function withHolds(row: Row) {
  return { ...row, holds: holds(row) }
}

function stop(sentence: string): never {
  console.error(sentence)
  process.exit(2)
}
