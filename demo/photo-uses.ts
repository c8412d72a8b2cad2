import pg from 'pg'
import { signIn } from './billing/quickbooks.ts'
import { demoPassword, staff } from './staff.ts'

/** How many of the photographed patients are in the gallery, and how many of these are on the website. */
const [inGallery, onWebsite] = [4, 2]

/** Puts photos of the photographed patients to use: in the gallery, on the website and behind a link for a referral. Does nothing if there are some. */
export async function putPhotosToUse(url: string, databaseUrl: string, today: string): Promise<void> {
  const provider = await signIn(url, { email: staff.provider.email, password: demoPassword })
  if (!provider || (await provider.consultGallery.list({})).length > 0) return
  for (const [place, contactId] of (await findPhotographed(databaseUrl)).entries()) {
    const photos = (await provider.photos.ofContact({ contactId })).flatMap((series) => series.photos)
    const idsOf = (views: readonly string[]) => photos.flatMap(({ id, view }) => (views.includes(view) ? [id] : []))
    const isPublic = place < onWebsite
    await provider.photoUses.recordConsent({
      contactId,
      purposes: ['referral', 'consult_room', ...(isPublic ? ['website' as const] : [])],
      givenOn: today,
      note: 'Signed on paper at the follow-up visit',
    })
    await provider.photoUses.begin({ contactId, photoIds: idsOf(['front', 'left_oblique', 'left_profile']), purpose: 'consult_room' })
    if (isPublic) await provider.photoUses.begin({ contactId, photoIds: idsOf(['left_oblique']), purpose: 'website' })
    if (place > 0) continue
    await provider.photoUses.share({
      contactId,
      photoIds: idsOf(['front', 'left_profile']),
      purpose: 'referral',
      recipient: 'Dr. Samuel Lee',
      email: 'samuel.lee@lakeside-ent.example',
      days: 14,
    })
  }
}

async function findPhotographed(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string }>(
      'select contact_id as id from photo_series group by contact_id order by min(created_at), contact_id limit $1',
      [inGallery],
    )
    return rows.map(({ id }) => id)
  } finally {
    await client.end()
  }
}
