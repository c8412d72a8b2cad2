import type pg from 'pg'

/** Practices and people who refer patients. */
const referrers = ['Dr. Amara Nwosu, family medicine', 'Lakeshore Dermatology', 'Dr. Élodie Gagnon', 'Sole & Spa Oakville']

/**
 * Says who referred the patients of the source Referral: two thirds by a patient who came before them, some of whom refer several; the others by a
 * practice or person.
 */
export async function addReferrals(client: pg.Client): Promise<void> {
  const referred = `
    select id, created_at, assigned_sales_rep_id, row_number() over (order by seq) as n from contacts
    where lead_source = (select id from lead_sources where name = 'Referral')`
  await client.query(
    `update contacts set referred_by = ($1::text[])[1 + ((referred.n / 3 + referred.n / 12) % $2::int)]
     from (${referred}) as referred where contacts.id = referred.id and referred.n % 3 = 0`,
    [referrers, referrers.length],
  )
  await client.query(`
    with pair as (
      select referred.id, referred.created_at, referred.assigned_sales_rep_id as rep, uuidv7() as referral_id, referrer.id as referrer_id
      from (${referred}) as referred
      join lateral (
        select id from contacts where seq < (select seq from contacts where id = referred.id) and seq % 40 < 3 order by seq desc offset referred.n % 5 limit 1
      ) as referrer on true
      where referred.n % 3 <> 0
    )
    insert into referrals (referral_id, contact_id, side, created_at, created_by)
    select referral_id, id, 'referred', created_at, rep from pair union all select referral_id, referrer_id, 'referrer', created_at, rep from pair`)
}
