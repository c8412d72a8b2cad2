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
  with shown as (
    select uses.id as use_id, photos.contact_id, photos.view, photos.taken_at, series.id as series_id, series.shot_list, series.time_point,
      series.title, series.taken_on, series.procedure_id, series.technique
    from photo_uses as uses cross join lateral (select * from photos where id = uses.photo_id offset 0) as photos join photo_series as series on series.id = photos.series_id
    join photo_consents as consent on consent.id = uses.photo_consent_id and consent.contact_id = photos.contact_id
    where uses.purpose = 'consult_room' and uses.ended_at is null and photos.deleted_at is null
      and consent.withdrawn_on is null and (consent.expires_on is null or consent.expires_on >= current_date)
  ), with_newest as (
    select shown.*, first_value(use_id) over newest as after_use, first_value(time_point) over newest as after_time,
      first_value(taken_on) over newest as after_on, first_value(procedure_id) over newest as after_procedure_id,
      first_value(technique) over newest as after_technique
    from shown window newest as (partition by contact_id, shot_list, view order by time_point = 'pre_op', taken_on desc, taken_at desc)
  ), pairs as (
    select distinct on (series_id, view) use_id || '.' || after_use as id, contact_id, after_on as taken_on, series_id, view,
      time_point as before_time, after_time, coalesce(after_procedure_id, procedure_id) as procedure_id,
      coalesce(after_technique, technique) as technique
    from with_newest where time_point = 'pre_op' and after_time <> 'pre_op' and after_on >= taken_on
    order by series_id, view, taken_at desc
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
