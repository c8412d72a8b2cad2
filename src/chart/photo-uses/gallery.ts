import { sql } from 'drizzle-orm'
import type { Scope } from '../../kernel/scope.ts'
import { photos, photoSeries } from '../photos/table.ts'
import type { PhotoView, TimePoint } from '../photos/rules.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { procedures } from '../../crm/procedures/table.ts'
import type { GalleryPair } from './contract.ts'
import { isLive } from './live.ts'
import { type AgeBand, useLimits } from './rules.ts'
import { photoUses } from './table.ts'

interface GalleryFilter {
  procedureId?: string | undefined
  ageBand?: AgeBand | undefined
  technique?: string | null | undefined
}

type Row = {
  before_use: string
  after_use: string
  procedure: string | null
  technique: string | null
  age_band: AgeBand | null
  view: PhotoView
  case_id: string
  before_time: TimePoint
  before_title: string | null
  after_time: TimePoint
  after_title: string | null
}

/**
 * Pairs of one view before and after treatment whose photos are both live for this purpose, the newest result first. Nothing in them says whose
 * they are. `addressOf`: of the image of a use.
 */
async function pairsFor(
  scope: Scope,
  purpose: 'consult_room' | 'website',
  { procedureId, ageBand, technique }: GalleryFilter,
  addressOf: (useId: string) => string,
): Promise<GalleryPair[]> {
  const { rows } = await scope.db.execute<Row>(sql`
    with shown as (
      select ${photoUses.id} as use_id, ${photos.contactId} as contact_id, ${photos.view} as view, ${photoSeries.id} as series_id,
        ${photoSeries.shotList} as shot_list, ${photoSeries.timePoint} as time_point, ${photoSeries.title} as title,
        ${photoSeries.takenOn} as taken_on, ${photoSeries.procedureId} as procedure_id, ${photoSeries.technique} as technique,
        ${photos.takenAt} as taken_at
      from ${photoUses}
      -- One by one, by its id: without the offset, all photos of the practice may be read for the few that are used.
      cross join lateral (select * from ${photos} where ${photos.id} = ${photoUses.photoId} offset 0) as ${photos}
      join ${photoSeries} on ${photoSeries.id} = ${photos.seriesId}
      where ${photoUses.purpose} = ${purpose} and ${photoUses.linkId} is null and ${isLive(scope)}
    ), with_newest as (
      select shown.*, first_value(use_id) over newest as after_use, first_value(time_point) over newest as after_time,
        first_value(title) over newest as after_title, first_value(taken_on) over newest as after_on,
        first_value(procedure_id) over newest as after_procedure_id, first_value(technique) over newest as after_technique
      from shown
      -- The newest result; only of a patient without one, a photo from before.
      window newest as (partition by contact_id, shot_list, view order by time_point = 'pre_op', taken_on desc, taken_at desc)
    ), pairs as (
      select distinct on (series_id, view) use_id as before_use, after_use, view, series_id as case_id, contact_id, time_point as before_time,
        title as before_title, after_time, after_title, after_on as taken_on, coalesce(after_procedure_id, procedure_id) as procedure_id,
        coalesce(after_technique, technique) as technique
      from with_newest
      where time_point = 'pre_op' and after_time <> 'pre_op' and after_on >= taken_on
      order by series_id, view, taken_at desc
    ), described as (
      select pairs.*, ${procedures.name} as procedure, ${bandOf} as age_band
      from pairs
      join ${contacts} on ${contacts.id} = pairs.contact_id
      left join ${procedures} on ${procedures.id} = pairs.procedure_id
    )
    select * from described
    where (${procedureId ?? null}::uuid is null or procedure_id = ${procedureId ?? null}::uuid)
      and (${ageBand ?? null}::text is null or age_band = ${ageBand ?? null}::text)
      and (${technique ?? null}::text is null or strpos(lower(technique), lower(${technique ?? null}::text)) > 0)
    order by taken_on desc, case_id, view
    limit ${useLimits.pairs}`)
  return rows.map((row) => ({
    id: `${row.before_use}.${row.after_use}`,
    caseId: row.case_id,
    procedure: row.procedure,
    technique: row.technique,
    ageBand: row.age_band,
    view: row.view,
    before: { image: addressOf(row.before_use), timePoint: row.before_time, title: row.before_title },
    after: { image: addressOf(row.after_use), timePoint: row.after_time, title: row.after_title },
  }))
}

/** The age on the day of the result, in bands that do not tell one patient from the next. */
const bandOf = sql`case
  when ${contacts.dateOfBirth} is null then null
  when ${contacts.dateOfBirth} > pairs.taken_on - interval '20 years' then 'under 20'
  when ${contacts.dateOfBirth} > pairs.taken_on - interval '30 years' then '20–29'
  when ${contacts.dateOfBirth} > pairs.taken_on - interval '40 years' then '30–39'
  when ${contacts.dateOfBirth} > pairs.taken_on - interval '50 years' then '40–49'
  when ${contacts.dateOfBirth} > pairs.taken_on - interval '60 years' then '50–59'
  else '60 and over' end`

/** GET /api/consult-gallery */
export const listConsultPairs = (scope: Scope, filter: GalleryFilter): Promise<GalleryPair[]> =>
  pairsFor(scope, 'consult_room', filter, (useId) => `/api/consult-gallery/${useId}.jpg`)

/** GET /api/gallery. A browser of the website loads the images from here, so each is checked again when it is shown. */
export async function listWebsitePairs(scope: Scope, filter: GalleryFilter): Promise<GalleryPair[]> {
  const pairs = await pairsFor(scope, 'website', filter, (useId) => `${scope.env.APP_URL}/api/gallery/${useId}.jpg`)
  // The name of a series is free text of the chart.
  return pairs.map(({ before, after, ...pair }) => ({ ...pair, before: { ...before, title: null }, after: { ...after, title: null } }))
}
