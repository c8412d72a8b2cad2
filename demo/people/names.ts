import { weighted } from '../random.ts'

/** A family's naming tradition: given names of women and men, and surnames. */
export type Origin = { women: string[]; men: string[]; surnames: string[]; menSurnames?: string[] }

const list = (text: string): string[] => text.trim().split(/,\s+/)
const origin = (women: string, men: string, surnames: string): Origin => ({ women: list(women), men: list(men), surnames: list(surnames) })

const english = origin(
  `Emma, Olivia, Hannah, Grace, Chloe, Sarah, Jessica, Ashley, Amanda, Heather, Megan, Lauren, Rachel, Nicole, Stephanie, Melissa, Kimberly,
   Tracy, Karen, Susan, Linda, Donna, Brenda, Wendy, Jennifer, Lisa, Michelle, Angela, Christine, Laura, Rebecca, Kathryn, Julie, Andrea,
   Paige, Brooke, Mackenzie, Taylor, Jordan, Victoria, Charlotte, Abigail, Natalie, Holly, Leah, Robyn, Tara, Shannon, Kelly, Dawn`,
  `James, William, Benjamin, Liam, Noah, Matthew, Andrew, Ryan, Kevin, Jason, Scott, Brian, Michael, David, Mark, Steven, Robert, Daniel,
   Tyler, Kyle, Derek, Trevor, Craig, Graham, Nathan, Connor, Ethan, Lucas, Owen, Jack`,
  `Smith, Brown, Wilson, Taylor, Johnson, Anderson, Thompson, Clarke, Walker, Harris, Lewis, Robinson, Wood, Wright, Mitchell, Cook, Baker,
   Carter, Bennett, Parker, Morgan, Reid, Hughes, Foster, Palmer, Gibson, Marshall, Webster, Barker, Chapman, Lawson, Fletcher, Dixon,
   Hartley, Pritchard, Whitfield, Ashworth, Bradshaw, Haywood, Ellsworth, Kingsley, Merritt, Thorne, Winslow, Fairbanks, Beckett, Langdon,
   Sutherland, Campbell, MacDonald, McKenzie, Fraser, Stewart, Ferguson, Sinclair, Drummond, Baird, McLeod, Grant-Hughes, Bell-Irving`,
)
const french = origin(
  `Éloïse, Anaïs, Marie-Ève, Geneviève, Mélanie, Noémie, Zoé, Chloé, Léa, Amélie, Véronique, Stéphanie, Josée, Maëlle, Camille, Andrée,
   Marie-Claude, Marie-Josée, Anne-Sophie, Catherine, Valérie, Isabelle, Hélène, Gisèle, Cécile, Aurélie, Frédérique, Océane, Solène, Danièle,
   Marie-Pier, Mireille, Sylvie, Francine, Micheline, Rosalie, Béatrice, Clémence, Joëlle, Raphaëlle`,
  `François, Étienne, Jérôme, Benoît, Stéphane, Frédéric, Rémi, Gaétan, Sébastien, Mathieu, Loïc, Hervé, André, René, Jean-François,
   Jean-Sébastien, Marc-André, Pierre-Luc, Olivier, Maxime, Guillaume, Félix`,
  `Tremblay, Gagnon, Roy, Côté, Bouchard, Gauthier, Morin, Lavoie, Fortin, Gagné, Ouellet, Pelletier, Bélanger, Lévesque, Bergeron, Leblanc,
   Paquette, Girard, Simard, Boucher, Caron, Beaulieu, Cloutier, Dubé, Poirier, Fournier, Lapointe, Leclerc, Lefebvre, Poulin, Thibault,
   St-Pierre, Nadeau, Martel, Desjardins, Hébert, Bédard, Séguin, Charbonneau, Lachance, Bélanger-Roy, Côté-Martel, Gagnon-Dubé,
   Desrosiers, L’Écuyer, Pépin, Trépanier, Mélançon, Vézina, Théberge`,
)
const irish = origin(
  `Siobhán, Aoife, Niamh, Caoimhe, Róisín, Ciara, Sinéad, Gráinne, Orla, Maeve, Deirdre, Fionnuala, Bríd, Áine, Clíona, Eimear, Nuala, Sorcha,
   Maureen, Colleen, Bridget, Kathleen, Moira, Fiona`,
  `Seán, Pádraig, Cillian, Oisín, Tadhg, Eoin, Ruairí, Diarmuid, Cormac, Donnacha, Declan, Colm, Fergus, Rory, Brendan`,
  `O’Brien, O’Connor, Murphy, Kelly, O’Sullivan, Byrne, Ryan, O’Neill, Doyle, McCarthy, Gallagher, Doherty, Kennedy, Lynch, Quinn, McLoughlin,
   Ó Briain, Ní Dhónaill, Fitzgerald, O’Dwyer, Brennan, Nolan, Keane, Hennessy, Maguire, Devlin, Tierney, Costigan, O’Rourke, Mulcahy`,
)
const polish: Origin = {
  ...origin(
    `Agnieszka, Małgorzata, Katarzyna, Elżbieta, Zofia, Grażyna, Wiesława, Iwona, Bożena, Joanna, Magdalena, Beata, Dorota, Ewa, Kinga, Marta,
     Alicja, Łucja, Jadwiga, Aleksandra, Natalia, Paulina`,
    `Łukasz, Wojciech, Paweł, Michał, Tomasz, Krzysztof, Andrzej, Grzegorz, Rafał, Marek, Piotr, Jarosław, Bartłomiej, Zbigniew, Mariusz`,
    `Kowalczyk, Nowak, Wójcik, Kamińska, Lewandowska, Zielińska, Szymańska, Woźniak, Dąbrowska, Kozłowska, Jankowska, Mazur, Krawczyk, Piotrowska,
     Grabowska, Pawłowska, Michalska, Król, Wieczorek, Jabłońska, Wróbel, Majewska, Olszewska, Stępień, Malinowska, Jaworska, Pawlak, Sikora,
     Górska, Bąk`,
  ),
  menSurnames: list(
    `Kowalczyk, Nowak, Wójcik, Kamiński, Lewandowski, Zieliński, Szymański, Woźniak, Dąbrowski, Kozłowski, Jankowski, Mazur, Krawczyk, Piotrowski,
     Grabowski, Pawłowski, Michalski, Król, Wieczorek, Jabłoński, Wróbel, Majewski, Olszewski, Stępień, Malinowski, Jaworski, Pawlak, Sikora,
     Górski, Bąk`,
  ),
}
const ukrainian = origin(
  `Oksana, Olena, Iryna, Nataliya, Svitlana, Kateryna, Yuliia, Larysa, Halyna, Tetiana, Mariya, Solomiya, Daryna`,
  `Andriy, Taras, Bohdan, Oleksandr, Mykola, Yuriy, Dmytro, Roman, Vasyl`,
  `Shevchenko, Kovalenko, Bondarenko, Tkachenko, Kravchuk, Melnyk, Hrytsenko, Boyko, Lysenko, Savchuk, Petrenko, Marchenko, Moroz, Romaniuk,
   Stefaniuk, Danylchuk, Hnatyshyn, Kuzyk`,
)
const vietnamese = origin(
  `Thị Hồng, Ngọc Ánh, Thùy Linh, Mai Anh, Kim Ngân, Phương Thảo, Thanh Hà, Hồng Nhung, Bích Ngọc, Tuyết Mai, Quỳnh Như, Thu Hiền, Lan Hương, Diễm My,
   Khánh Vy, Mỹ Duyên`,
  `Minh Đức, Quốc Huy, Văn Hùng, Anh Tuấn, Hoàng Long, Đình Khôi, Thành Công, Gia Bảo, Trọng Nghĩa`,
  `Nguyễn, Trần, Lê, Phạm, Huỳnh, Hoàng, Phan, Vũ, Võ, Đặng, Bùi, Đỗ, Hồ, Ngô, Dương, Lý, Đinh, Trương`,
)
const westAfrican = origin(
  `Adébísí, Fọláṣadé, Títílayọ̀, Yétúndé, Bùkọ́lá, Ọmọ́tọ́lá, Ṣadé, Abíọ́dún, Olúwaṣeun, Ìyábọ̀, Chidinma, Ngozi, Adaeze, Ifeoma, Nkechi, Chiamaka, Abena, Akosua, Efua,
   Ama, Adwoa, Ayọ̀délé`,
  `Olumide, Adébáyọ̀, Babátúndé, Olúṣẹ́gun, Fẹ́mi, Káyọ̀dé, Tádé, Chukwuemeka, Obinna, Ikenna, Kwame, Kofi, Kwabena, Yaw`,
  `Adébáyọ̀, Ọlátúnjí, Akínwálé, Ògúnbánjọ, Adéyẹmí, Ọládipọ̀, Afọlábí, Ṣówándé, Bámidélé, Ọ̀ṣúntọ́kun, Okonkwo, Nwosu, Eze, Chukwu, Onyeka, Achebe-Obi, Mensah,
   Boateng, Owusu, Asante, Appiah, Ofori, Adjei, Agyeman`,
)
const spanish = origin(
  `María José, Lucía, Sofía, Ángela, Mónica, Verónica, Inés, Rocío, Belén, Ximena, Valentina, Camila, Andrea, Paola, Jimena, Begoña, Concepción,
   Adriana, Daniela, Carolina, Itzel, Marisol, Guadalupe, Yesenia`,
  `José Luis, Jesús, Andrés, Martín, Sebastián, Ángel, Ramón, Joaquín, Iván, Rubén, Nicolás, Héctor, Raúl, Álvaro`,
  `Hernández, García, Martínez, López, González, Rodríguez, Pérez, Sánchez, Ramírez, Torres, Flores, Gómez, Díaz, Vásquez, Castillo, Jiménez, Muñoz,
   Ibáñez, Núñez, Peña, Ortega Ruiz, García Lara, Cárdenas, Quiñones, Zúñiga, Salazar, Marroquín, Echeverría, Velásquez, Ávila`,
)
const scandinavian = origin(
  `Åsa, Ingrid, Astrid, Sigrún, Märta, Kirsten, Bodil, Solveig, Freja, Linnéa, Maja, Signe, Tuva, Þóra, Annika, Päivi, Marjatta, Birgit`,
  `Lars, Björn, Søren, Håkon, Jörgen, Nils, Åke, Mikkel, Gunnar, Erik, Pål, Jukka`,
  `Lindqvist, Sørensen, Jørgensen, Åkesson, Bergström, Nyström, Öberg, Sjögren, Håkansson, Østergaard, Kjær, Guðmundsdóttir, Hansen, Nygaard, Mäkinen,
   Hämäläinen, Lindström, Rønning, Dahl, Skogheim`,
)
const korean = origin(
  `Soo-jin, Ji-woo, Min-ji, Hye-won, Eun-ji, Yuna, Da-eun, Seo-yeon, Ha-neul, Mi-kyung, Young-hee, Grace Ji-eun, Esther, So-young, Yoo-mi`,
  `Min-jun, Sung-ho, Jae-hyun, Dong-wook, Hyun-woo, Joon, Tae-young, Daniel Sung-min`,
  `Park, Kim, Lee, Choi, Jung, Kang, Cho, Yoon, Jang, Lim, Han, Shin, Seo, Kwon, Hwang, Ahn, Song, Yoo, Hong, Bae`,
)
const arabic = origin(
  `Noor, Layla, Fatima, Mariam, Yasmin, Rania, Dina, Hala, Salma, Amira, Zeina, Lina, Nadia, Samar, Rasha, Hanan, Jumana, Rula, Sawsan, Maha`,
  `Omar, Khaled, Youssef, Karim, Tariq, Samir, Fadi, Rami, Bilal, Ziad, Hassan, Walid, Marwan`,
  `Al-Masri, Haddad, Khoury, Nasser, El-Sayed, Mansour, Abboud, Farah, Saliba, Hamdan, Al-Rashid, Barakat, Sabbagh, Awad, Younis, Darwish, Kassem,
   El-Khatib, Zaher, Nassar, Tawfik, Al-Jaziri, Bou-Ghanem, Rizk`,
)
const portuguese = origin(
  `Beatriz, Inês, Conceição, Fátima, Lurdes, Graça, Assunção, Margarida, Mafalda, Leonor, Filipa, Catarina, Joana, Sónia, Vânia, Patrícia, Telma`,
  `João, António, Luís, Nuno, Tiago, Gonçalo, Sérgio, Hélder, Rui, Fábio, Vítor`,
  `Araújo, Silva, Santos, Ferreira, Pereira, Oliveira, Costa, Rodrigues, Martins, Sousa, Fernandes, Gonçalves, Gomes, Lopes, Marques, Almeida,
   Magalhães, Simões, Conceição, Falcão, Guimarães, Brandão, Medeiros, Pacheco, Raposo, Câmara, Furtado, Botelho`,
)
const italian = origin(
  `Maria, Francesca, Giuseppina, Rosanna, Daniela, Silvana, Concetta, Antonella, Carmela, Sabrina, Loredana, Gianna, Alessia, Bianca, Mirella, Pina,
   Serena, Vanessa, Noemi, Lucrezia`,
  `Marco, Antonio, Domenic, Vincenzo, Salvatore, Rocco, Luigi, Nicolò, Carlo, Frank, Joseph, Massimo`,
  `Rossi, Bianchi, Esposito, Romano, Colombo, Ricci, Marino, Greco, Bruno, Gallo, De Luca, Costa, Mancini, Di Giovanni, D’Angelo, Caruso, Rinaldi,
   Fabbri, Pellegrini, Santoro, Palumbo, Commisso, Iafrate, Sgrò, Lo Presti, Barbaro, Di Pietro, Cosentino, Zappalà`,
)
const southAsian = origin(
  `Priya, Anjali, Divya, Kavita, Meera, Neha, Pooja, Simran, Harpreet, Jasleen, Manpreet, Navneet, Gurleen, Ayesha, Sana, Zainab, Fareeha, Nimrah,
   Lakshmi, Thivya, Abirami, Shalini, Deepa, Ritu, Sunita, Rupinder, Tasnim, Sharmila`,
  `Arjun, Rohan, Vikram, Harjit, Gurpreet, Jaspreet, Imran, Bilal, Faisal, Sanjay, Rajiv, Suresh, Karthik, Nirmal, Amit, Kunal`,
  `Raghunathan, Patel, Singh, Sharma, Gill, Dhillon, Sandhu, Grewal, Brar, Sidhu, Iyer, Krishnan, Nair, Menon, Desai, Shah, Mehta, Khan, Ahmed,
   Malik, Qureshi, Chaudhry, Siddiqui, Rahman, Sivakumar, Thambirajah, Balasubramaniam, Fernando, Perera, Gupta, Kapoor, Bhatt, Mukherjee`,
)
const chinese = origin(
  `Xiaoli, Mei-Ling, Jia, Yan, Xinyi, Wenjing, Yuxuan, Lihua, Grace, Vivian, Cindy, Michelle, Winnie, Joyce, Karen, Yi-Chun, Hui-Min, Shu-Fen, Lüying`,
  `Wei, Jun, Kevin, Jason, Eric, Zhihao, Haoran, Ming, Raymond, Wilson, Chi-Wai, Jian`,
  `Chen, Wang, Li, Zhang, Liu, Yang, Huang, Zhao, Wu, Zhou, Lam, Chan, Wong, Cheung, Leung, Ho, Ng, Tang, Lau, Kwok, Lin, Xu, Lü, Ma, Guo, Fung, Yip`,
)
const filipino = origin(
  `Maricel, Rowena, Jocelyn, Cherry, Analyn, Marites, Kristine, Angelica, Rosalinda, Liezl, Divina, Princess, Jhoanna, Evangeline`,
  `Jayson, Rommel, Ramil, Arnel, Noel, Edwin, Mark Anthony, Joselito`,
  `Dela Cruz, Reyes, Santos, Bautista, Ocampo, Mendoza, Aquino, Villanueva, Pascual, Macaraeg, Dimaculangan, Magsaysay, Tolentino, Lacson, Peñaflor`,
)
const persianTurkish = origin(
  `Shirin, Parisa, Niloufar, Mahsa, Setareh, Golnaz, Azadeh, Leila, Ayşe, Elif, Zeynep, Gülşen, Özlem, Çiğdem`,
  `Arash, Kaveh, Babak, Reza, Farhad, Mehmet, Emre, Oğuz`,
  `Hosseini, Rahimi, Karimi, Moradi, Farahani, Tehrani, Shirazi, Ebrahimi, Yılmaz, Öztürk, Şahin, Çelik, Kaya, Gündoğdu, Arslan`,
)
const balkanGreek = origin(
  `Jelena, Milica, Dragana, Snežana, Željka, Ivana, Vesna, Mirjana, Eleni, Despina, Vasiliki, Sofia, Stavroula, Katarína, Zuzana, Jiřina, Ágnes, Zsófia, Erzsébet`,
  `Nikola, Dušan, Goran, Zoran, Željko, Dimitri, Kostas, Spiros, Tomáš, László, Gábor`,
  `Jovanović, Petrović, Nikolić, Đorđević, Kovačević, Babić, Šarić, Marić, Papadopoulos, Georgiou, Pappas, Anagnostou, Dvořák, Novotná, Nagy, Szabó, Kővári, Horváth,
   Ionescu, Popescu`,
)

export const pickOrigin = weighted<Origin>([
  [english, 27],
  [french, 11],
  [southAsian, 10],
  [italian, 8],
  [chinese, 7],
  [irish, 5],
  [portuguese, 5],
  [polish, 5],
  [spanish, 5],
  [arabic, 5],
  [westAfrican, 4],
  [vietnamese, 3],
  [korean, 3],
  [filipino, 3],
  [scandinavian, 2],
  [ukrainian, 2],
  [persianTurkish, 2],
  [balkanGreek, 2],
])

const homeLanguages = new Map<Origin, string>([
  [french, 'fr'],
  [chinese, 'yue'],
  [portuguese, 'pt'],
  [polish, 'pl'],
  [spanish, 'es'],
  [arabic, 'ar'],
  [vietnamese, 'vi'],
  [korean, 'ko'],
  [ukrainian, 'uk'],
])

/** Code of the language that a family speaks at home; null for English. */
export const homeLanguage = (origin: Origin): string | null => homeLanguages.get(origin) ?? null

/** Whether the family speaks French at home, which affects where it lives and in which language it prefers to be written to. */
export const isFrench = (origin: Origin): boolean => origin === french
