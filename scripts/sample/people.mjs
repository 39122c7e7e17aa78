/**
 * Names of people by origin. Many given names and surnames are also words (Will, May, Price), places (Jordan, Lincoln,
 * Toledo) or companies (Mercer), so that only the context tells.
 */
const words = (text) => text.trim().split(/\s+/);

export const origins = {
  english: {
    weight: 8,
    nations: words("British American Australian Canadian Irish Scottish Welsh"),
    female:
      words(`Alice Amber April Beth Claire Daisy Dawn Eleanor Emma Faith Fiona Grace Hannah Harriet Heather Holly Hope
      Iris Ivy Jade Jane Jasmine Joy June Kate Laura Lily Lucy Margaret May Megan Nora Olive Pearl Penny Phoebe
      Rose Ruby Ruth Sally Summer Violet Carol Hazel`),
    male: words(`Adam Alan Alfie Art Bill Bob Chase Colin Dale Dean Drew Earl Edward Frank Gareth Gene George Glen Grant Guy
      Harry Heath Hugh Hunter Ian Jack James Lewis Luke Mark Mason Miles Neil Oliver Owen Pat Paul Pierce Ray Rich
      Rob Robin Sam Simon Theo Tom Victor Wade Will`),
    last: words(`Abbott Applewhite Archer Ashdown Baker Banks Barlow Bell Bishop Black Bright Brook Burnett Calder Carter
      Chandler Church Clarke Cook Crane Dawson Day Drake Easton Farrow Field Finch Fisher Frost Gale Garland Green
      Hale Harding Hart Hartley Hayes Hill Hughes Kerr King Knight Lane Little Long Marsh Marlow Mills Moss North
      O'Brien O'Dowd Page Pike Porter Potter Price Reed Rivers Rowe Savage Sharp Shepherd Slater Snow Stone Swift
      Thorne Underwood Walsh Webb Weeks West Winter Wise Woods Young`),
  },
  /** Names of people that are also names of places or companies. */
  twins: {
    weight: 6,
    nations: words("British American Canadian Australian Irish"),
    female:
      words(`Adelaide Brooklyn Charlotte Chelsea Florence Georgia Lourdes Madison Rosario Savannah Siena Sofia Sydney
      Victoria Vienna Virginia`),
    male: words("Austin Chad Dallas Devon Jordan Kent Milan Orlando Preston Salvador Santiago Troy"),
    last: words(`Berlin Bolton Burgos Cordoba Derby Durham Ferrara France Hamilton Holland Houston Ireland Jackson Lancaster
      Lima Lincoln London Medina Mercer Penrose Sheffield Stafford Toledo Valencia Warwick Washington Wellington
      Whitlock York`),
  },
  iberian: {
    weight: 3,
    nations: words("Portuguese Spanish Brazilian Chilean Mexican"),
    female: words("Ana Beatriz Carmen Catarina Dolores Elena Inês Isabel Leonor Luz Marisol Pilar Teresa"),
    male: words("Álvaro Andrés Bruno Diego Duarte Joaquim Javier Manuel Mateus Miguel Pablo Rafael Rui Tiago"),
    last: words(`Almeida Barros Cardoso Carvalho Castro Duarte Esteves Ferreira Fonseca Guerra Herrera Lobo Mendes Moreno
      Navarro Pacheco Pinto Quintana Rocha Salazar Silva Teixeira Vargas Vidal`),
  },
  french: {
    weight: 2,
    nations: words("French Belgian Canadian Swiss"),
    female: words("Amélie Brigitte Camille Céline Colette Élodie Geneviève Juliette Margaux Odette Simone Solange"),
    male: words("Antoine Benoît Étienne Fabien Gaspard Henri Julien Laurent Luc Marcel Olivier Pascal Rémy Thierry"),
    last: words(`Arnaud Beaumont Blanchard Chevalier Delacroix Dubois Fontaine Garnier Lambert Laurent Leclerc Marchand
      Moreau Petit Renard Rousseau Roux Tessier Vasseur`),
  },
  northern: {
    weight: 3,
    nations: words("German Danish Norwegian Swedish Austrian"),
    female: words("Anke Astrid Birgit Freya Greta Hanna Heidi Ingrid Karin Klara Liv Maren Sigrid Solveig Ulrike"),
    male: words(`Anders Björn Dieter Emil Erik Florian Gunnar Henrik Jens Jonas Karl Lars Matthias Nils Otto Sven Uwe`),
    last: words(`Andersen Bauer Becker Berg Brandt Dahl Engel Falk Fischer Hagen Hansen Holm Keller Krause Lindqvist Lund
      Maier Nilsson Nyberg Richter Roth Schreiber Sommer Strand Thorsen Vogel Voss Weber Winkler Wolff`),
  },
  eastern: {
    weight: 3,
    nations: words("Polish Czech Croatian Serbian Ukrainian"),
    female: words(
      `Agnieszka Alena Dagmar Irina Jana Katarzyna Lenka Ljubica Milena Nadia Natalia Olga Svetlana Vesna Zofia`,
    ),
    male: words("Andrei Bogdan Dmitri Goran Ivan Jakub Krzysztof Lukas Marek Miroslav Pavel Piotr Tomasz Zoran"),
    last: words(`Bartos Dvorak Horvat Ivanenko Jankovic Kolar Kovac Kowalczyk Lysenko Mazur Novak Nowak Pavlovic Petrenko
      Popovic Sedlak Shevchuk Sobol Tkachenko Vukovic Wojcik Zeman`),
  },
  southern: {
    weight: 3,
    nations: words("Italian Greek Turkish"),
    female: words(
      `Bianca Chiara Donatella Eleni Francesca Ginevra Ioanna Katerina Lucia Paola Silvia Ayse Defne Elif Zeynep`,
    ),
    male: words("Alessio Dario Enzo Fabio Giorgos Luca Marco Matteo Nikos Paolo Stavros Cem Emre Kerem Murat"),
    last: words(`Bellini Bianchi Colombo Conti Costa Demir Galli Greco Kaya Lombardi Mancini Marchetti Moretti Nikolaidis
      Papadakis Pellegrini Ricci Romano Serra Stavrou Tedesco Vitale Yildiz Aydin Arslan`),
  },
  arabic: {
    weight: 2,
    nations: words("Egyptian Jordanian Lebanese Moroccan"),
    female: words("Amal Amina Farah Fatima Hala Huda Layla Leila Mariam Nadine Noor Rania Salma Yasmin Zahra"),
    male: words(
      `Ahmed Amir Bilal Faris Hamza Hassan Ibrahim Idris Karim Khalid Nabil Omar Rashid Samir Tariq Yusuf Ziad`,
    ),
    last: words(`Aziz Bakri Darwish El-Amin Farouk Haddad Hakimi Hariri Ismail Jaber Karimi Khoury Mansour Mahfouz Nasser
      Qasim Rahimi Sabri Saleh Sayegh Shaheen Tehrani Zaman`),
  },
  indian: {
    weight: 3,
    nations: words("Indian British Indian"),
    female: words("Aditi Ananya Anjali Asha Divya Gita Indira Kavita Lakshmi Meera Neha Nisha Priya Radhika Sunita"),
    male: words(
      `Aarav Ajay Amit Anil Arjun Ashok Deepak Gopal Harish Kiran Manoj Nikhil Rahul Rajesh Ravi Sanjay Vikram`,
    ),
    last: words(`Agarwal Banerjee Bhatt Chandra Chatterjee Desai Gupta Iyer Joshi Kapoor Khanna Kulkarni Mehta Menon Mishra
      Mukherjee Nair Patel Pillai Rao Reddy Sengupta Sharma Singh Varma`),
  },
  eastAsian: {
    weight: 3,
    nations: words("Japanese Korean Vietnamese Chinese"),
    female: words("Akiko Chiyo Haruka Hyejin Jia Jisoo Lan Lien Linh Mei Mina Naoko Sakura Xiu Yuki"),
    male: words("Daichi Haruto Hiroshi Jae Jian Jun Kenji Minh Minho Ryo Seung Takeshi Tuan Wei Yong"),
    last: words(`Chen Choi Dinh Fujita Han Hashimoto Huang Ito Kang Kim Kobayashi Lee Lin Liu Mori Nakamura Nguyen Ono Park
      Pham Sato Shin Takahashi Tanaka Tran Wang Watanabe Wu Yamada Yoon Zhang`),
  },
  african: {
    weight: 3,
    nations: words("Ghanaian Nigerian Kenyan Zambian"),
    female: words("Abena Adaeze Adwoa Akua Amara Chioma Efua Esi Folake Imani Ngozi Nia Thandiwe Wanjiru Zola"),
    male: words("Ayodele Chidi Emeka Femi Jabari Juma Kofi Kwame Kwesi Mandla Obi Sefu Thabo Tunde Yaw"),
    last: words(`Abiodun Achieng Addo Adeyemi Afolabi Agyeman Asante Balogun Boateng Chukwu Dlamini Kamau Kariuki Mensah Moyo
      Mutua Ndlovu Nkosi Ochieng Odhiambo Okafor Okoye Okonkwo Osei Owusu Sithole Tembo Wambui`),
  },
};

/** Given names that are also words of the language, for patterns that play with both. */
export const wordNames = new Set(
  words(`Amber April Art Bill Bob Chase Daisy Dale Dawn Dean Drew Earl Faith Frank Gene Glen Grace Grant Guy Heath Holly Hope
    Hunter Iris Ivy Jack Jade Jasmine Joy June Lily Mark Mason May Miles Olive Pat Pearl Penny Pierce Ray Rich Rob Robin
    Rose Ruby Sally Summer Violet Wade Will`),
);

/** People of whom every split speaks: their names are words, or also places and companies. */
export const regulars = [
  { first: "Will", last: "Mercer", gender: "male", origin: "english" },
  { first: "May", last: "Lincoln", gender: "female", origin: "english" },
  { first: "Jordan", last: "Price", gender: "male", origin: "english" },
  { first: "Rose", last: "Hamilton", gender: "female", origin: "english" },
  { first: "Mark", last: "Okafor", gender: "male", origin: "african" },
  { first: "Georgia", last: "Bellini", gender: "female", origin: "southern" },
  { first: "Hope", last: "Jordan", gender: "female", origin: "english" },
  { first: "Santiago", last: "Valencia", gender: "male", origin: "iberian" },
  { first: "Florence", last: "Keller", gender: "female", origin: "northern" },
  { first: "Frank", last: "Washington", gender: "male", origin: "english" },
];

/** Combinations that belong to somebody known, and are therefore not made. */
export const knownPeople = new Set([
  "Harry Potter",
  "George Washington",
  "Jack London",
  "Jack Black",
  "Neil Young",
  "Will Young",
  "Paul Young",
  "Emma Stone",
  "Oliver Stone",
  "Oliver Reed",
  "Sally Field",
  "Tom Holland",
  "Heather Mills",
  "James Cook",
  "Robin Cook",
  "James Baker",
  "Carol King",
  "Kate Moss",
  "Amber Heard",
  "Bob Hope",
  "Ivan Novak",
]);
