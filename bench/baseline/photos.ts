import type pg from 'pg'
import { nameOf } from './database.ts'

/** A patient's photos by series, as the Photos tab lists them. */
const ofPatient = `
  select series.id as series_id, series.version as series_version, series.contact_id, series.procedure_id, series.shot_list, series.time_point,
    series.title, series.taken_on, series.technique, series.created_by, photos.id, photos.view, photos.taken_at, photos.taken_by, photos.mime_type,
    photos.width, photos.height, photos.size, photos.adjustment, photos.version
  from photo_series as series left join photos on photos.series_id = series.id and photos.deleted_at is null
  where series.contact_id = $1 order by series.taken_on desc, series.id desc, photos.taken_at, photos.id`

/** The newest 500 pairs of one view before and after whose photos are in the consult room with a consent that still allows it. */
const pairs = `
  with shown as materialized (
    select uses.id as use_id, photos.contact_id, photos.view, photos.taken_at, series.id as series_id, series.shot_list, series.time_point,
      series.title, series.taken_on, series.procedure_id, series.technique
    from photo_uses as uses join photos on photos.id = uses.photo_id join photo_series as series on series.id = photos.series_id
    join photo_consents as consent on consent.id = uses.photo_consent_id and consent.contact_id = photos.contact_id
    where uses.purpose = 'consult_room' and uses.ended_at is null and photos.deleted_at is null
      and consent.withdrawn_on is null and (consent.expires_on is null or consent.expires_on >= current_date)
  ), pairs as (
    select distinct on (earlier.series_id, earlier.view) earlier.use_id || '.' || later.use_id as id, later.contact_id, later.taken_on,
      earlier.series_id, earlier.view, earlier.time_point as before_time, later.time_point as after_time,
      coalesce(later.procedure_id, earlier.procedure_id) as procedure_id, coalesce(later.technique, earlier.technique) as technique
    from shown as earlier join shown as later on later.contact_id = earlier.contact_id and later.shot_list = earlier.shot_list
      and later.view = earlier.view and later.time_point <> 'pre_op' and later.taken_on >= earlier.taken_on
    where earlier.time_point = 'pre_op'
    order by earlier.series_id, earlier.view, later.taken_on desc, later.taken_at desc, earlier.taken_at desc
  )
  select pairs.*, procedures.name as procedure, contacts.date_of_birth from pairs join contacts on contacts.id = pairs.contact_id
  left join procedures on procedures.id = pairs.procedure_id where $1::uuid is null or procedures.id = $1
  order by taken_on desc, series_id, view limit 500`

interface Photo {
  id: string | null
  series_id: string
}

/** Series with their photos, as our server answers them. */
export async function photosOf(pool: pg.Pool, contactId: string): Promise<unknown> {
  const { rows } = await pool.query<Photo>({ name: nameOf(ofPatient), text: ofPatient, values: [contactId] })
  return [...Map.groupBy(rows, (row) => row.series_id)].map(([id, photos]) => ({ id, photos: photos.filter((photo) => photo.id) }))
}

/** Pairs of the consult room's gallery, of one procedure if it is given. */
export async function gallery(pool: pg.Pool, url: string): Promise<unknown> {
  const procedure = new URL(url, 'http://bare').searchParams.get('procedureId')
  return (await pool.query({ name: nameOf(pairs), text: pairs, values: [procedure] })).rows
}
